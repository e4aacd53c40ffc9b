internal import CoreDataFormat
internal import RepositoryGeneratorCore
internal import RepositorySchema

/// Constraints and indexes.
extension CoreDataTypeBuilder {
    /// Adds the constraints and indexes of the model, unless objects violate them.
    func addIndexes(_ key: Int?, to type: inout ObjectTypeDraft) {
        var fields: [String: Int] = [:]
        for (position, field) in type.fields.enumerated() {
            guard field.column >= 0, field.column < record.members.count,
                !field.type.hasPrefix("["), !field.options.contains(where: { $0.key == "external" })
            else { continue }
            fields[record.members[field.column].property.name] = position
        }
        for constraint in record.entity.unique {
            let positions = constraint.compactMap { fields[$0] }
            guard positions.count == constraint.count, positions != [0] || key == nil else {
                continue
            }
            let subject = "constraint \(constraint.joined(separator: ", "))"
            guard file.isUnique(origin, constraint, withChildren: record.isTree) else {
                type.notes.append(Note(subject: subject, text: "objects violate it"))
                continue
            }
            if positions.count == 1 {
                add("unique", at: positions[0], to: &type)
            } else {
                type.uniqueIndexes.append(positions.map { type.fields[$0].name })
            }
        }
        for index in record.entity.indexes where index.condition == nil {
            let positions = index.fields.compactMap { fields[$0.name] }
            guard positions.count == index.fields.count, !positions.isEmpty else { continue }
            if positions.count == 1 {
                guard positions != [0] else { continue }
                add("index", at: positions[0], to: &type)
            } else {
                let names = zip(positions, index.fields).map {
                    ($1.isDescending ? "-" : "") + type.fields[$0].name
                }
                if !type.indexes.contains(names) { type.indexes.append(names) }
            }
        }
    }

    private func add(_ key: String, at position: Int, to type: inout ObjectTypeDraft) {
        let field = type.fields[position]
        guard !field.options.contains(where: { ["unique", "index"].contains($0.key) }),
            refusals[.option(origin, field.column, key)] == nil
        else { return }
        type.fields[position].options.append((key, "true"))
    }
}
