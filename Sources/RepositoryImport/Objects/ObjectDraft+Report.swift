extension ObjectDraft {
    /// The number of entities.
    var entityCount: Int { types.count { $0.kind == .entity } }

    /// The lines of the report about the types and their fields.
    var typeLines: [String] {
        var lines: [String] = []
        for type in types {
            lines.append("\(type.name): \(type.report)")
            for (index, field) in type.fields.enumerated() where type.kind != .enumeration {
                let isID =
                    type.kind == .entity
                    && (type.compositeID.isEmpty
                        ? index == 0 : type.compositeID.contains(field.name))
                lines.append(
                    "  \(field.name)\(isID ? " (id)" : ""): \(field.report) → \(field.type)")
                lines += field.notes.map { "    \($0.line)" }
            }
            if type.kind == .enumeration {
                lines.append(
                    "  \(type.fields.map { SQLText.shown($0.type) }.joined(separator: ", "))")
            }
            lines += type.notes.map { "  \($0.line)" }
        }
        return lines
    }
}
