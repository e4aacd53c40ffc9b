internal import RepositorySchema

/// The conditions in the description of a table: those of partial indexes and the checks.
struct TableConditions {
    /// The statement that names the fields, where a condition needs them.
    let opening: [String]
    /// The statements that add the checks.
    let checks: [String]
    private let context: ConditionContext
    private let translator: ConditionTranslator

    init(_ entity: EntityDeclaration, fields: [TranslatedField], scope: SchemaScope) {
        let name = entity.header.name.value
        // A deprecated type by a way around its name, so that the output does not warn.
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

    /// Fields whose members cannot be used where the table is made: a deprecated one warns, and `id`, which the runtime
    /// declares, asks the table for its key.
    private static func substitutes(
        _ type: String, _ fields: [TranslatedField], _ scope: SchemaScope
    ) -> [String: String] {
        let queryField = scope.names.qualified("QueryField")
        var substitutes: [String: String] = [:]
        for (index, field) in fields.enumerated() where field.isDeprecated || field.name == "id" {
            // The id of a deprecated entity by the same way around its name.
            let value = field.isSingleID ? type + ".ID" : field.decodedType
            substitutes[field.name] = "\(queryField)<\(type), \(value)>(\(index))"
        }
        return substitutes
    }

    /// The statement that adds an index.
    func statement(_ index: TranslatedIndex) -> [String] {
        guard let condition = index.condition,
            let code = Self.code(condition, context, translator)
        else { return [index.statement] }
        let line = "table.index(\(index.arguments), where: \(code.line))"
        if line.count + 8 <= LineBreaker.width { return [line] }
        return ["table.index(", "    \(index.arguments),"]
            + Self.lines(code, head: "where: ", tail: ")")
    }

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

    /// What a record is told by a check without a message.
    private static func sentence(_ check: CheckDeclaration) -> String {
        let words = check.condition.text.split(whereSeparator: \.isWhitespace)
        let text = words.joined(separator: " ")
        return text.count > 50 ? "Its condition does not hold." : "It does not hold that \(text)."
    }

    /// The code on lines one step in; they are counted from the margin of the statements.
    private static func lines(_ code: ConditionCode, head: String = "", tail: String) -> [String] {
        code.lines(12, head: head, tail: tail).map { String($0.dropFirst(8)) }
    }

    private static func code(
        _ text: ConditionText, _ context: ConditionContext, _ translator: ConditionTranslator
    ) -> ConditionCode? {
        var checker = ConditionChecker(context)
        return checker.check(text).map { translator.code($0).grouped }
    }
}

extension EntityDeclaration {
    /// Whether its table has checks or indexes of some records only.
    var hasTableConditions: Bool {
        !checks.isEmpty || indexes.contains { $0.condition != nil }
    }
}
