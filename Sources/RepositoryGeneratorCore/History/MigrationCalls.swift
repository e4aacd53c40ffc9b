internal import RepositorySchema
internal import StoredSchema

/// A function of the generated protocol, which a change of a version calls.
struct MigrationCall {
    /// What the function does.
    enum Kind {
        /// Returns the value of a field of an entity or value, from the record or value before. A
        /// conversion also gets the old value, by the name of its property.
        case value(FieldDeclaration, converting: FieldDeclaration?)
        /// Converts a whole record.
        case record
    }

    /// The name of the function.
    let name: String
    /// What it does.
    let kind: Kind
    /// The number of the version.
    let number: Int
    /// The name of the entity or value before the version.
    let oldOwner: String
    /// The name of the entity or value after it.
    let owner: String
    /// The declarations before the version.
    let old: SchemaScope
    /// The declarations after it.
    let new: SchemaScope

    /// Returns the functions of a version in the order of the declarations.
    static func all(in step: VersionStep) -> [MigrationCall] {
        let name = MigrationFunctionName(number: step.number)
        /// Whether a decision is for this version.
        func counts(_ version: Located<Int>?) -> Bool {
            version.map { $0.value == step.number } ?? true
        }
        // A function may be called at several places of the stored data.
        let called = Set(step.changes.compactMap(\.function))
        var calls: [MigrationCall] = []
        func add(_ name: String, _ kind: Kind, _ oldOwner: String, _ owner: String) {
            guard called.contains(name) else { return }
            calls.append(
                MigrationCall(
                    name: name, kind: kind, number: step.number, oldOwner: oldOwner, owner: owner,
                    old: step.old, new: step.new))
        }
        func addFields(
            _ fields: [FieldDeclaration], of owner: String, _ oldFields: [FieldDeclaration],
            of oldOwner: String
        ) {
            for field in fields {
                let property = step.new.property(of: field)
                let before = EarlierField(field, step.new, oldFields, step.old).declaration
                let function = name.value(property, of: owner)
                if let convert = field.convert, counts(convert.version), convert.method == .code,
                    let before
                {
                    add(function, .value(field, converting: before), oldOwner, owner)
                } else if field.fill?.source == .code, counts(field.fill?.version) {
                    add(function, .value(field, converting: nil), oldOwner, owner)
                }
            }
        }
        for entity in step.entities {
            guard let old = entity.oldEntity else { continue }
            let (oldName, newName) = (old.header.name.value, entity.entity.header.name.value)
            if entity.isMigratedByCode(to: step.number) {
                add(name.records(of: newName), .record, oldName, newName)
            } else {
                addFields(
                    step.new.fields(of: entity.entity), of: newName, step.old.fields(of: old),
                    of: oldName)
            }
        }
        for declaration in step.new.set.declarations {
            guard case .value(let value) = declaration else { continue }
            let names = [value.header.name.value] + value.renamedFrom.map(\.value)
            for oldName in names {
                guard case .value(let before)? = step.old.declarations[oldName] else { continue }
                addFields(
                    value.fields, of: value.header.name.value, before.fields, of: oldName)
                break
            }
        }
        return calls
    }
}

/// The declaration of a field in the version before.
private struct EarlierField {
    /// The declaration; nil if the field is new.
    let declaration: FieldDeclaration?

    init(
        _ field: FieldDeclaration, _ scope: SchemaScope, _ old: [FieldDeclaration],
        _ oldScope: SchemaScope
    ) {
        let names = [field.name.value] + field.renamedFrom.map(\.value)
        declaration =
            names.lazy.compactMap { name in
                old.first { UTF8Order.areEqual($0.name.value, name) }
                    ?? old.first { UTF8Order.areEqual(oldScope.property(of: $0), name) }
            }.first
    }
}
