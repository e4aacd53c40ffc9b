internal import Foundation
internal import RealmFormat
internal import RepositoryMoving
internal import RepositoryRuntime
internal import StoredSchema

/// Compares the schema of a file with the mapping of a set.
struct RealmMappingCheck {
    private let database: RealmDatabase
    private var use = MappingUse("realm")

    var problems: [MappingProblem] { use.problems }

    init(_ database: RealmDatabase, _ schema: StoreSchema) {
        self.database = database
        for table in schema.tables { check(table) }
        for type in database.classes {
            use.reportUnused(
                type.name, type.properties.filter { !$0.isInternal }.map(\.name),
                "No entity is taken from the class '\(type.name)': its objects are not copied.")
        }
        if database.historyType == 3 || database.historyType == 4 {
            use.add(
                .pendingChanges, "",
                "The file was synchronized: changes that the server has not received are in its objects, and are copied; what the server has not sent is not."
            )
        }
    }

    /// Checks what an entity is taken from.
    private mutating func check(_ table: EntityTable) {
        guard let source = use.source(of: table) else { return }
        let name = SourceName(source.name)
        guard let name, let type = database.type(named: name.type) else {
            use.add(
                .missingTable, table.name,
                "The file has no class '\(name?.type ?? source.name)'.")
            return
        }
        if let list = name.property {
            guard let index = type.index(of: list) else {
                use.add(
                    .missingTable, table.name,
                    "The class '\(type.name)' has no list '\(list)'.")
                return
            }
            use.take(type.name, list)
            guard type.properties[index].collection != nil else {
                use.add(
                    .missingTable, table.name,
                    "'\(type.name).\(list)' is neither a list nor a set or dictionary.",
                    isFatal: true)
                return
            }
        }
        use.take(type.name)
        for field in table.layout.fields {
            check(
                field, field.name, in: type, table, source,
                isRequired: !field.isOptional && field.defaultValue == nil)
        }
    }

    /// Checks what a field, or a field of a value, is taken from.
    private mutating func check(
        _ field: FieldDescription, _ path: String, in type: RealmClass, _ table: EntityTable,
        _ source: TableSource, isRequired: Bool
    ) {
        guard let text = source.fields[path] else {
            use.add(
                .unfilledField, table.name, field: path,
                "The field has no 'from', so that nothing fills it.",
                isFatal: isRequired)
            return
        }
        let name = SourceName(text)
        guard name?.part == nil else { return }
        guard let name, let index = type.index(of: name.property) else {
            use.add(
                .unfilledField, table.name, field: path,
                "The class '\(type.name)' has no property '\(name?.property ?? text)'.",
                isFatal: isRequired)
            return
        }
        use.take(type.name, name.property)
        let property = type.properties[index]
        if let reason = mismatch(property, field.type) {
            use.add(.convertedField, table.name, field: path, "'\(text)' \(reason).", isFatal: true)
        }
        switch property.type {
        case .date, .oldDate:
            use.add(.convertedField, table.name, field: path, "Dates are rounded to microseconds.")
        case .decimal:
            use.add(
                .convertedField, table.name, field: path,
                "A Decimal128 that does not fit into a Decimal is not copied.")
        default: break
        }
        guard property.type != .mixed, let target = database.target(of: property) else { return }
        guard case .object(let layout) = field.type.innermost.structure else {
            if source.references[path] == nil, target.kind == .object {
                use.add(
                    .unfilledField, table.name, field: path,
                    "Nothing says what the id of '\(target.name)' is taken from.", isFatal: true)
            }
            return
        }
        use.take(target.name)
        for member in layout.fields {
            check(
                member, "\(path).\(member.name)", in: target, table, source,
                isRequired: !member.isOptional && member.defaultValue == nil)
        }
    }

    /// Returns why the values of a property cannot be those of a field, as the predicate of a
    /// sentence; nil if they can.
    private func mismatch(_ property: RealmProperty, _ type: StoredType) -> String? {
        let isList = property.collection == .list || property.collection == .set
        switch type.structure {
        case .list: return isList ? nil : "is no list"
        case .map: return property.collection == .dictionary ? nil : "is no dictionary"
        default:
            return property.collection == nil ? nil : "is a \(property.collection?.rawValue ?? "")"
        }
    }
}
