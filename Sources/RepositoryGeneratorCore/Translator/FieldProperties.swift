internal import RepositorySchema

/// The property of a field with its doc comment, and its place in the initialiser and in `==`.
struct FieldProperties {
    let field: TranslatedField
    let owner: String
    let access: String

    /// The lines that declare the property.
    var declaration: [String] {
        let keyword = field.isKey ? "let" : "var"
        let lines = documentation
        guard field.isDeprecated else {
            return lines + ["\(access)\(keyword) \(field.property): \(field.type)"]
        }
        let head = lines + Prose.availability(field.declaration.deprecated)
        let storage = "fileprivate \(keyword) \(field.storage): \(field.type)"
        if field.isKey {
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

    /// The parameter of an initialiser, without a comma.
    var parameter: String {
        "\(field.parameter): \(field.type)" + (field.initialDefault.map { " = " + $0 } ?? "")
    }

    /// The associated value of a union's case, which has a label only.
    var payload: String {
        "\(field.property): \(field.type)" + (field.initialDefault.map { " = " + $0 } ?? "")
    }

    /// The statement of an initialiser.
    var assignment: String { "self.\(field.storage) = \(field.local)" }

    /// A comparison of `==`. An operator would cost the compiler a look at the `==` of every type of the set.
    var comparison: String { "Mapper.areEqual(left.\(field.storage), right.\(field.storage))" }

    /// The doc comment.
    var documentation: [String] {
        if let doc = field.declaration.doc { return Prose.documentation(doc) }
        return ["/// " + sentence + "."]
    }

    /// What can be said of a field that nobody described.
    private var sentence: String {
        let noun = Prose.noun(owner)
        let declared = field.declaration
        if field.isSingleID { return "The id of the \(noun)" }
        if declared.version?.value == true {
            return "The version of the \(noun), counted by the store"
        }
        if declared.onUpdateNow != nil { return "When the \(noun) was last written" }
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
            return subject + ": the moment of its making, unless given"
        }
        return facts.map { "\(subject): \($0)" } ?? subject
    }

    /// A field that is called as the entity needs no more words.
    private func reference(to entity: String) -> String {
        let name = field.declaration.name.value
        let start = "The id of the \(Prose.noun(owner))'s "
        return name == Naming.lowerCamelCase(entity)
            ? start + Prose.noun(entity) : start + "`\(name)`, " + Prose.withArticle(entity)
    }

    private var facts: String? {
        let declared = field.declaration
        if let range = Self.range(text(declared.minimum), text(declared.maximum)) { return range }
        let unit =
            switch declared.type.value.unwrapped {
            case .list: "element"
            case .base(.data): "byte"
            default: "character"
            }
        let least = declared.minLength?.value
        let most = declared.maxLength?.value
        let plural = (most ?? least) == 1 ? "" : "s"
        return Self.range(least.map { "\($0)" }, most.map { "\($0)" }).map {
            "\($0) \(unit)\(plural)"
        }
    }

    private func text(_ literal: Located<Literal>?) -> String? {
        guard case .scalar(let text, _) = literal?.value else { return nil }
        return text
    }

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
    /// Parameters or arguments on a line each, all but the last with a comma.
    func lines(_ text: (TranslatedField) -> String) -> [String] {
        enumerated().map { index, field in text(field) + (index == count - 1 ? "" : ",") }
    }

    /// The statements of `==`: one for each field, so that no expression grows with the type.
    func comparisons(_ text: (TranslatedField) -> String) -> [String] {
        guard let last else { return ["true"] }
        return dropLast().map { "guard \(text($0)) else { return false }" } + [
            "return \(text(last))"
        ]
    }
}
