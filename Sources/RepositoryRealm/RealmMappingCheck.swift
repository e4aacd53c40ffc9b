internal import Foundation
internal import RealmFormat
internal import RepositoryMoving
internal import RepositoryRuntime

/// Compares the schema of a file with the mapping of a set.
struct RealmMappingCheck {
    private let database: RealmDatabase
    private(set) var problems: [MappingProblem] = []
    /// The properties that fields take, by class.
    private var used: [String: Set<String>] = [:]

    init(_ database: RealmDatabase, _ schema: StoreSchema) {
        self.database = database
        for table in schema.tables { check(table) }
        for type in database.classes { checkUse(of: type) }
        if database.historyType == 3 || database.historyType == 4 {
            problems.append(
                MappingProblem(
                    .pendingChanges, table: "",
                    "The file was synchronized: changes that the server has not received are in its objects, and are copied; what the server has not sent is not."
                ))
        }
    }

    private mutating func add(
        _ kind: MappingProblem.Kind, _ table: String, _ field: String?, _ message: String,
        isFatal: Bool = false
    ) {
        problems.append(
            MappingProblem(kind, table: table, field: field, message, isFatal: isFatal))
    }

    /// Checks what an entity is taken from.
    private mutating func check(_ table: EntityTable) {
        guard let source = table.sources["realm"] else {
            add(
                .missingTable, table.name, nil,
                "\(table.entity) has no 'from: { realm: … }', so that nothing is read for it.")
            return
        }
        let name = RealmName(source.name)
        guard let type = database.type(named: name.type) else {
            add(.missingTable, table.name, nil, "The file has no class '\(name.type)'.")
            return
        }
        if let list = name.property {
            guard let index = type.index(of: list) else {
                add(
                    .missingTable, table.name, nil,
                    "The class '\(type.name)' has no list '\(list)'.")
                return
            }
            used[type.name, default: []].insert(list)
            guard type.properties[index].collection != nil else {
                add(
                    .missingTable, table.name, nil,
                    "'\(type.name).\(list)' is neither a list nor a set or dictionary.",
                    isFatal: true)
                return
            }
        }
        used[type.name, default: []].formUnion([])
        let supplied = Set(table.layout.fields.indices.filter { table.fields[$0].supply != nil })
        for (index, field) in table.layout.fields.enumerated() {
            check(
                field, field.name, in: type, table, source,
                isRequired: !field.isOptional && field.defaultValue == nil,
                isSupplied: supplied.contains(index))
        }
    }

    /// Checks what a field, or a field of a value, is taken from.
    private mutating func check(
        _ field: FieldDescription, _ path: String, in type: RealmClass, _ table: EntityTable,
        _ source: TableSource, isRequired: Bool, isSupplied: Bool = false
    ) {
        guard let text = source.fields[path] else {
            add(
                .unfilledField, table.name, path,
                "The field has no 'from', so that nothing fills it.",
                isFatal: isRequired && !isSupplied)
            return
        }
        let name = RealmName(text)
        guard name.part == nil else { return }
        guard let index = type.index(of: name.property) else {
            add(
                .unfilledField, table.name, path,
                "The class '\(type.name)' has no property '\(name.property ?? "")'.",
                isFatal: isRequired)
            return
        }
        used[type.name, default: []].insert(name.property ?? "")
        let property = type.properties[index]
        if let reason = mismatch(property, field.type) {
            add(.convertedField, table.name, path, "'\(text)' \(reason).", isFatal: true)
        }
        switch property.type {
        case .date, .oldDate:
            add(.convertedField, table.name, path, "Dates are rounded to microseconds.")
        case .decimal:
            add(
                .convertedField, table.name, path,
                "A Decimal128 that does not fit into a Decimal is not copied.")
        default: break
        }
        guard property.type != .mixed, let target = database.target(of: property) else { return }
        var inner = field.type
        while true {
            if case .list(let element, _) = inner.structure {
                inner = element
            } else if case .map(let element, _) = inner.structure {
                inner = element
            } else {
                break
            }
        }
        guard case .object(let layout) = inner.structure else {
            if source.references[path] == nil, target.kind == .object {
                add(
                    .unfilledField, table.name, path,
                    "Nothing says what the id of '\(target.name)' is taken from.", isFatal: true)
            }
            return
        }
        used[target.name, default: []].formUnion([])
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

    /// Reports a class or a property that no field takes.
    private mutating func checkUse(of type: RealmClass) {
        guard let taken = used[type.name] else {
            add(
                .unusedTable, type.name, nil,
                "No entity is taken from the class '\(type.name)': its objects are not copied.")
            return
        }
        for property in type.properties
        where !taken.contains(property.name) && !property.isInternal {
            add(
                .unusedProperty, type.name, property.name,
                "No field is taken from '\(type.name).\(property.name)'.")
        }
    }
}
