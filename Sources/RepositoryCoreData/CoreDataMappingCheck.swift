internal import CoreDataFormat
internal import RepositoryMoving
internal import RepositoryRuntime

/// Compares the model of a store with the mapping of a set.
struct CoreDataMappingCheck {
    private let store: CoreDataStore
    private(set) var problems: [MappingProblem] = []
    /// The properties that fields take, by the entities that have them.
    private var used: [String: Set<String>] = [:]

    init(_ store: CoreDataStore, _ schema: StoreSchema) throws {
        self.store = store
        for table in schema.tables { check(table) }
        for entity in store.entities where !entity.isAbstract { checkUse(of: entity) }
        let tables = store.layout.skippedTables
        if tables.contains(where: { $0.hasPrefix("ANSCK") }) {
            problems.append(
                MappingProblem(
                    .pendingChanges, table: "",
                    "The store is mirrored to CloudKit: what has not been downloaded is not in it.")
            )
        }
    }

    private mutating func add(
        _ kind: MappingProblem.Kind, _ table: String, _ field: String?, _ message: String,
        isFatal: Bool = false
    ) {
        problems.append(
            MappingProblem(kind, table: table, field: field, message, isFatal: isFatal))
    }

    /// Checks what an entity of the schema is taken from.
    private mutating func check(_ table: EntityTable) {
        guard let source = table.sources["coredata"] else {
            add(
                .missingTable, table.name, nil,
                "\(table.entity) has no 'from: { coredata: … }', so that nothing is read for it.")
            return
        }
        guard let mapping = CoreDataMapping(table, source, store) else {
            add(.missingTable, table.name, nil, "The store has no '\(source.name)'.")
            return
        }
        for entity in mapping.covered where mapping.links == nil { used[entity, default: []] = [] }
        if let links = mapping.links { use(links, mapping.covered) }
        let filled = Dictionary(
            mapping.fields.map { ($0.description.name, $0.origin) },
            uniquingKeysWith: { one, _ in one })
        for (index, field) in table.layout.fields.enumerated() {
            guard let origin = filled[field.name] else {
                let isSupplied = table.fields[index].supply != nil
                add(
                    .unfilledField, table.name, field.name,
                    source.fields[field.name].map { "The store has no '\($0)'." }
                        ?? "The field has no 'from', so that nothing fills it.",
                    isFatal: !field.isOptional && field.defaultValue == nil && !isSupplied)
                continue
            }
            switch origin {
            case .property(let name, let entities): use(name, Array(entities))
            case .owner(let entity, let property), .position(let entity, let property):
                use(property, store.model.tree(entity).map(\.name))
            case .key, .entity, .linkOwner, .linkTarget, .linkPosition: break
            }
        }
    }

    /// Notes that a property is taken, and its other side with it.
    private mutating func use(_ property: String, _ entities: [String]) {
        for entity in entities {
            used[entity, default: []].insert(property)
            guard let found = store.model.entities[entity]?.properties[property],
                let destination = found.destination, let inverse = found.inverse
            else { continue }
            for other in store.model.tree(destination) {
                used[other.name, default: []].insert(inverse)
            }
        }
    }

    /// Reports an entity or a property that no field takes.
    private mutating func checkUse(of entity: ModelEntity) {
        guard let taken = used[entity.name] else {
            add(
                .unusedTable, entity.name, nil,
                "No type is taken from the entity '\(entity.name)': its objects are not copied.")
            return
        }
        for property in entity.sortedProperties where !taken.contains(property.name) {
            let isStored =
                property.isStoredAttribute && property.kind != .derived
                || (property.isToOne || property.isToMany) && !property.isTransient
            guard isStored else { continue }
            add(
                .unusedProperty, entity.name, property.name,
                "No field is taken from '\(entity.name).\(property.name)'.")
        }
    }
}
