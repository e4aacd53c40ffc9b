extension NormalizedSchema {
    /// The schema in the schema language: one document for each declaration, and before them one
    /// for the decisions of the settings, if there are some. Empty for a schema without both.
    ///
    /// Equal schemas have the same bytes.
    package var text: String {
        let head = decisions.keys.map { "\($0.name): \($0.value)\n" }.joined()
        return ((head.isEmpty ? [] : [head]) + declarations.map(\.text)).joined(separator: "---\n")
    }
}

extension NormalizedDeclaration {
    /// The document, which ends with a line break.
    fileprivate var text: String {
        var lines = ["\(kind): \(YAMLText.name(name))"]
        lines += (keys + decisions.keys).map { "\($0.name): \($0.value)" }
        var section: NormalizedPart.Section?
        for (index, part) in parts.enumerated() {
            if let key = part.section.key, part.section.isNew(after: section) {
                lines.append("\(key):")
            }
            section = part.section
            let isEmptyCase =
                part.section == .unionCases
                && (index + 1 == parts.count || parts[index + 1].section != .caseFields)
            lines.append(part.line + (isEmptyCase ? " {}" : ""))
        }
        // A value needs its fields, an enum or union its cases, even if there are none.
        if parts.isEmpty, kind == "value" { lines.append("fields: {}") }
        if parts.isEmpty, kind == "enum" { lines.append("cases: []") }
        if parts.isEmpty, kind == "union" { lines.append("cases: {}") }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension NormalizedPart.Section {
    /// The key above the parts; nil for the id, which has its key on the same line.
    fileprivate var key: String? {
        switch self {
        case .id: nil
        case .fields, .indexes, .checks: rawValue
        case .enumCases, .unionCases, .caseFields: "cases"
        }
    }

    /// Returns whether a part of this section begins another list than the part before it.
    fileprivate func isNew(after other: NormalizedPart.Section?) -> Bool {
        other.map { $0.key != key } ?? true
    }
}

extension NormalizedPart {
    /// The line of the part.
    fileprivate var line: String {
        let entries = (keys + decisions.keys).map { (key: $0.name, value: $0.value) }
        let name = YAMLText.name(name)
        switch section {
        case .id: return "id: " + YAMLText.mapping(entries)
        case .fields, .checks: return "  \(name): " + YAMLText.mapping(entries)
        case .indexes: return "  - " + YAMLText.mapping([("name", name)] + entries)
        case .enumCases:
            let raw = entries.first?.value ?? name
            let others = decisions.keys.map { (key: $0.name, value: $0.value) }
            return others.isEmpty
                ? "  - \(name): \(raw)" : "  - " + YAMLText.mapping([(name, raw)] + others)
        case .unionCases: return "  \(name):"
        case .caseFields: return "    \(name): " + YAMLText.mapping(entries)
        }
    }
}
