internal import RepositorySchema

/// Generates the code of a field: its property with the doc comment, its parameter and assignment
/// in the initialiser, and its comparison in `==`.
///
/// A deprecated field `title` has a stored property that does not cause warnings:
///
/// ```swift
/// @available(*, deprecated)
/// public var title: String {
///     get { _title }
///     set { _title = newValue }
/// }
/// fileprivate var _title: String
/// ```
struct FieldProperties {
    let field: TranslatedField
    /// The name of the type that declares the field, for the doc comment.
    let owner: String
    /// The access level with a trailing space, or an empty string.
    let access: String

    /// The lines that declare the property.
    ///
    /// A deprecated field is a computed property over a `fileprivate` stored property. The
    /// generated code uses the stored one, so that it compiles without warnings.
    var declaration: [String] {
        let isConstant = field.isKey || field.declaration.isOnlyRead
        let keyword = isConstant ? "let" : "var"
        let lines = documentation
        guard field.isDeprecated else {
            return lines + ["\(access)\(keyword) \(field.property): \(field.type)"]
        }
        let head = lines + Prose.availability(field.declaration.deprecated)
        let storage = "fileprivate \(keyword) \(field.storage): \(field.type)"
        if isConstant {
            return head + [
                "\(access)var \(field.property): \(field.type) { \(field.unqualified) }", storage,
            ]
        }
        return head + [
            "\(access)var \(field.property): \(field.type) {",
            "    get { \(field.unqualified) }",
            "    set { \(field.unqualified) = newValue }",
            "}",
            storage,
        ]
    }

    /// The parameter of the initialiser, without a comma.
    var parameter: String {
        "\(field.parameter): \(field.type)" + (field.initialDefault.map { " = " + $0 } ?? "")
    }

    /// The associated value of a union case. An associated value has a label but no parameter name.
    var payload: String {
        "\(field.property): \(field.type)" + (field.initialDefault.map { " = " + $0 } ?? "")
    }

    /// The assignment in the initialiser.
    var assignment: String { "self.\(field.storage) = \(field.local)" }

    /// The comparison in `==`. It calls a function: for an operator, the compiler would consider
    /// the `==` of every type in the set.
    var comparison: String { "Mapper.areEqual(left.\(field.storage), right.\(field.storage))" }

    /// The lines of the doc comment, from the schema or generated.
    var documentation: [String] {
        if let doc = field.declaration.doc { return Prose.documentation(doc) }
        return ["/// " + sentence + "."]
    }

    /// The generated description of a field without documentation in the schema.
    ///
    /// It contains the bounds or the length limits, if there are any: `: at least 1`.
    private var sentence: String {
        let noun = Prose.noun(owner)
        let declared = field.declaration
        if declared.isRowNumber { return "The number of the \(noun)'s row" }
        if field.isSingleID { return "The id of the \(noun)" }
        if declared.version?.value == true {
            return "The version of the \(noun), counted by the store"
        }
        if declared.computed?.value == true {
            return "The \(noun)'s `\(field.name)`, which the database computes"
        }
        if declared.onUpdateNow != nil { return "When the \(noun) was last written" }
        if declared.onCreateNow != nil { return "When the \(noun) was created" }
        let subject: String
        if let entity = declared.type.value.innermostName, field.name != declared.name.value {
            subject =
                field.name.hasSuffix("IDs")
                ? "The ids of the \(Prose.plural(entity)) that the \(noun) refers to"
                : reference(to: entity)
        } else {
            subject = "The \(noun)'s `\(field.name)`"
        }
        if case .now = declared.defaultValue?.value {
            return subject + ": the time of creation, unless given"
        }
        return facts.map { "\(subject): \($0)" } ?? subject
    }

    /// The description of a reference. If the field is named after its entity, the entity is not
    /// mentioned again.
    private func reference(to entity: String) -> String {
        let name = field.declaration.name.value
        let start = "The id of the \(Prose.noun(owner))'s "
        return name == Naming.lowerCamelCase(entity)
            ? start + Prose.noun(entity) : start + "`\(name)`, " + Prose.withArticle(entity)
    }

    /// The bounds or the length limits in words, or nil if the field has neither.
    private var facts: String? {
        let declared = field.declaration
        if let range = Self.range(text(declared.minimum), text(declared.maximum)) { return range }
        let least = declared.minLength?.value
        let most = declared.maxLength?.value
        let plural = (most ?? least) == 1 ? "" : "s"
        return Self.range(least.map { "\($0)" }, most.map { "\($0)" }).map {
            "\($0) \(declared.lengthUnit)\(plural)"
        }
    }

    /// The text of a scalar literal.
    private func text(_ literal: Located<Literal>?) -> String? {
        guard case .scalar(let text, _) = literal?.value else { return nil }
        return text
    }

    /// A range in words, or nil if it has no bounds.
    private static func range(_ least: String?, _ most: String?) -> String? {
        switch (least, most) {
        case (let least?, let most?): least == most ? "exactly \(least)" : "\(least) to \(most)"
        case (let least?, nil): "at least \(least)"
        case (nil, let most?): "at most \(most)"
        case (nil, nil): nil
        }
    }
}

extension [TranslatedField] {
    /// Returns one line per field. All but the last end with a comma.
    func lines(_ text: (TranslatedField) -> String) -> [String] {
        enumerated().map { index, field in text(field) + (index == count - 1 ? "" : ",") }
    }

    /// Returns the statements of `==`, one per field, so that the size of each expression is
    /// independent of the number of fields.
    ///
    /// ```swift
    /// guard Mapper.areEqual(left.title, right.title) else { return false }
    /// return Mapper.areEqual(left.pages, right.pages)
    /// ```
    func comparisons(_ text: (TranslatedField) -> String) -> [String] {
        guard let last else { return ["true"] }
        return dropLast().map { "guard \(text($0)) else { return false }" } + [
            "return \(text(last))"
        ]
    }
}
