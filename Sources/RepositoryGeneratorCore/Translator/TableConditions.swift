internal import ConditionLanguage
internal import RepositorySchema

/// Translates the conditions in the description of a table: those of partial indexes and of checks.
///
/// ```swift
/// table.index("loans_open", ["clientID"], where: loan.returnedAt == nil)
/// table.check("positive", loan.number > 0, message: "The number must be positive.")
/// ```
struct TableConditions {
    /// The statement that declares a variable for the query fields. Empty if no condition refers to
    /// it.
    let opening: [String]
    /// The statements that add the checks.
    let checks: [String]
    /// The names that the conditions can use.
    private let context: ConditionContext
    /// Writes the conditions in Swift.
    private let translator: ConditionTranslator

    /// Translates the checks of an entity. `statement(_:)` translates its indexes.
    init(_ entity: EntityDeclaration, fields: [TranslatedField], scope: SchemaScope) {
        let name = entity.header.name.value
        // A deprecated type is named by its mapper's `Record`, so that the output compiles without
        // warnings.
        let type =
            entity.header.deprecated == nil ? OutputNames.own(name) : "\(name)Mapper.Record"
        let own = Naming.lowerCamelCase(name)
        let variable = own == "table" || own == name ? "record" : Naming.escaped(own)
        let context = ConditionContext(entity, scope: scope)
        self.context = context
        translator = ConditionTranslator(
            scope: scope, root: variable, substitutes: Self.substitutes(type, fields, scope))
        let translator = translator
        checks = entity.checks.flatMap { check in
            Self.code(check.condition, context, translator).map { code in
                Self.statement(check, code)
            } ?? []
        }
        let conditions =
            entity.indexes.compactMap(\.condition) + entity.checks.map(\.condition)
        let isNeeded = conditions.contains { condition in
            var checker = ConditionChecker(context)
            return checker.check(condition)?.fields.contains { field in
                field.properties.first.map { translator.substitutes[$0] == nil } ?? false
            } ?? false
        }
        opening = isNeeded ? ["let \(variable) = \(type).Fields()"] : []
    }

    /// The replacements for fields that the table description cannot access as members. A
    /// deprecated member would cause a warning. The member `id` is declared by the runtime and
    /// reads the key from the table, which does not exist yet.
    private static func substitutes(
        _ type: String, _ fields: [TranslatedField], _ scope: SchemaScope
    ) -> [String: String] {
        let queryField = scope.names.qualified("QueryField")
        var substitutes: [String: String] = [:]
        for (index, field) in fields.enumerated() where field.isDeprecated || field.name == "id" {
            // The id of a deprecated entity is named in the same indirect way.
            let value = field.isSingleID ? type + ".ID" : field.decodedType
            substitutes[field.name] = "\(queryField)<\(type), \(value)>(\(index))"
        }
        return substitutes
    }

    /// Returns the statement that adds an index.
    func statement(_ index: TranslatedIndex) -> [String] {
        guard let condition = index.condition,
            let code = Self.code(condition, context, translator)
        else { return [index.statement] }
        let line = "table.index(\(index.arguments), where: \(code.line))"
        if line.count + 8 <= LineBreaker.width { return [line] }
        return ["table.index(", "    \(index.arguments),"]
            + Self.lines(code, head: "where: ", tail: ")")
    }

    /// Returns the statement that adds a check, wrapped if it is too long.
    private static func statement(
        _ check: CheckDeclaration, _ code: ConditionCode
    ) -> [String] {
        let name = SwiftLiteral.string(check.name.value)
        let message = "message: \(SwiftLiteral.string(check.message ?? sentence(check))))"
        let line = "table.check(\(name), \(code.line), \(message)"
        if line.count + 8 <= LineBreaker.width { return [line] }
        let start = "    \(name), \(code.line),"
        if start.count + 8 <= LineBreaker.width {
            return ["table.check(", start, "    \(message)"]
        }
        return ["table.check(", "    \(name),"] + lines(code, tail: ",") + ["    \(message)"]
    }

    /// The message of a check that has none in the schema.
    private static func sentence(_ check: CheckDeclaration) -> String {
        let words = check.condition.text.split(whereSeparator: \.isWhitespace)
        let text = words.joined(separator: " ")
        return text.count > 50 ? "Its condition does not hold." : "It does not hold that \(text)."
    }

    /// Formats a condition on separate lines, indented by one level. Line lengths include the
    /// indentation that the template adds.
    private static func lines(_ code: ConditionCode, head: String = "", tail: String) -> [String] {
        code.lines(12, head: head, tail: tail).map { String($0.dropFirst(8)) }
    }

    /// The code of a condition, or nil if the condition has errors.
    private static func code(
        _ text: ConditionText, _ context: ConditionContext, _ translator: ConditionTranslator
    ) -> ConditionCode? {
        var checker = ConditionChecker(context)
        return checker.check(text).map { translator.code($0).grouped }
    }
}

extension EntityDeclaration {
    /// Whether the table has checks or partial indexes.
    var hasTableConditions: Bool {
        !checks.isEmpty || indexes.contains { $0.condition != nil }
    }
}
