internal import RepositorySchema
internal import StoredSchema

/// The differences between a field and its column.
struct FieldComparison {
    let existing: ExistingField
    /// The field of the column as an import declares it.
    let found: FieldDeclaration
    let draft: FieldDraft
    let table: ReadTable

    private var field: FieldDeclaration { existing.declaration }
    private var name: String { "'\(field.name.value)'" }
    private var column: TableShape.Column { table.shape.columns[draft.column] }
    /// The form in the database that `storedAs` declares.
    private var form: String? {
        (table.isTyped ? field.postgreSQLForm : field.sqliteForm)?.value
    }
    private var columnName: String { "its column \(SQLText.shown(column.name))" }

    /// A warning for each difference.
    var warnings: [Diagnostic] {
        [type, nullability, reference, writing].compactMap(\.self) + rules
    }

    private func warning(
        _ message: String, at range: SourceRange? = nil, help: String? = nil
    ) -> Diagnostic {
        Diagnostic(message, at: range ?? field.type.range, help: help, severity: .warning)
    }

    /// A difference of the type, or of the form of its values.
    private var type: Diagnostic? {
        let guess = table.guesses[draft.column]
        let (facts, affinity) = (table.facts[draft.column], table.shape.affinity(of: draft.column))
        // Another type that describes all values is the owner's choice.
        guard case .plain(let type) = draft.type, !fits(type),
            !guess.alternatives(facts, affinity).contains(where: fits)
        else { return nil }
        let form = form.map { ", storedAs \($0)" } ?? ""
        let isRange = type == .int && facts.integers > 0
        let range = isRange ? " from \(facts.minimum) to \(facts.maximum)" : ""
        return warning(
            "\(name) is '\(field.type.value.description)'\(form), and \(columnName) has "
                + "\(guess.evidence)\(range) → \(type.inWords(column.isNotNull ? "" : "?"))")
    }

    /// Returns whether a type can be that of the field, because both have the same values.
    private func fits(_ type: GuessedType) -> Bool {
        guard case .base(let base) = existing.stored else {
            // A list, map, value or union is text. A reference to several columns is not compared.
            return existing.stored == .composite || type == .string
        }
        switch type {
        case .int:
            let facts = table.facts[draft.column]
            guard let limits = base.stored.integers else {
                return base == .double || base == .float
            }
            return facts.integers == 0
                || limits.contains(facts.minimum) && limits.contains(facts.maximum)
        case .float, .double: return base == .double || base == .float
        case .string: return base == .string || base == .url
        case .anyText: return base == .string && field.readAsText != nil
        case .data: return base == .data || base == .externalData
        case .bool, .localDate: return base.rawValue == type.name
        case .decimal(let scale, let word):
            return base == .decimal && field.scale?.value == scale && form == word
        case .date(let word):
            return base == .date && (form ?? "microseconds") == (word ?? "microseconds")
        case .uuid(let word): return base == .uuid && (form ?? "text") == (word ?? "text")
        }
    }

    private var nullability: Diagnostic? {
        let isOptional = field.type.value.isOptional
        guard isOptional != found.type.value.isOptional else { return nil }
        if isOptional { return warning("\(name) is optional, and \(columnName) is NOT NULL") }
        let nulls = table.facts[draft.column].nulls
        let rows = nulls > 0 ? ", and is null in \(Count.text(nulls, "row"))" : ""
        return warning("\(name) is required, and \(columnName) can be null\(rows)")
    }

    /// A difference between a reference and a foreign key.
    private var reference: Diagnostic? {
        let (rule, isEnforced) = (field.deleteRule, field.deleteRule != .none)
        switch (existing.target, draft.type) {
        case (let target?, .reference(_, let entity)) where target != entity:
            return warning(
                "\(name) refers to '\(target)', and \(columnName) has a foreign key to '\(entity)'")
        case (_?, .reference):
            guard isEnforced, rule != found.deleteRule else { return nil }
            return warning(
                "\(name) has 'onDelete: \(rule.rawValue)', and the foreign key of \(columnName) "
                    + "says '\(found.deleteRule.rawValue)'", at: field.onDelete?.range)
        case (_?, .plain) where isEnforced:
            return warning(
                "\(name) refers to '\(existing.target ?? "")', and \(columnName) has no foreign key",
                help: "'onDelete: none' declares a reference that the database does not enforce")
        case (nil, .reference(_, let entity)):
            return warning(
                "\(name) is no reference, and \(columnName) has a foreign key to '\(entity)'")
        default: return nil
        }
    }

    /// A difference of what can be written.
    private var writing: Diagnostic? {
        let isComputed = field.computed?.value == true
        guard isComputed != draft.isComputed else { return nil }
        return warning(
            isComputed
                ? "\(name) is computed, and \(columnName) is not"
                : "\(name) is not computed, and \(columnName) is",
            at: field.computed?.range ?? field.name.range)
    }

    /// Defaults and rules that the column has, and the field has not.
    private var rules: [Diagnostic] {
        guard case .base = field.type.value.unwrapped else { return [] }
        return draft.options.compactMap { key, value in
            let declared = Self.text(of: key, in: field)
            guard let other = Self.text(of: key, in: found),
                declared.map(Self.canonical) != Self.canonical(other)
            else { return nil }
            let own = declared.map { "'\(key): \($0)'" } ?? "no '\(key)'"
            return warning(
                "\(name) has \(own), and \(columnName) has '\(key): \(value)'",
                at: field.name.range)
        }
    }

    /// Returns the value of a default or rule of a field; `nil` if the field does not have it.
    private static func text(of key: String, in field: FieldDeclaration) -> String? {
        switch key {
        case "default": field.defaultValue.map { text($0.value) }
        case "minimum": field.minimum.map { text(.literal($0.value)) }
        case "maximum": field.maximum.map { text(.literal($0.value)) }
        case "minLength": field.minLength.map { "\($0.value)" }
        case "maxLength": field.maxLength.map { "\($0.value)" }
        default: nil
        }
    }

    private static func text(_ value: DefaultValue) -> String {
        switch value {
        case .literal(.scalar(let text, _)): text
        case .literal(let literal): "\(literal)"
        case .now: "now"
        case .generated: "generated"
        case .assigned: "assigned"
        }
    }

    /// Returns a number in one notation, and any other text as it is.
    private static func canonical(_ text: String) -> String {
        Double(text).map { "\($0)" } ?? text
    }
}
