internal import CoreDataFormat
internal import RepositoryMoving
internal import RepositoryRuntime

/// Compares the model of a store with the mapping of a set.
struct CoreDataMappingCheck {
    private let store: CoreDataStore
    private var use = MappingUse("coredata")

    var problems: [MappingProblem] { use.problems }

    init(_ store: CoreDataStore, _ schema: StoreSchema) throws {
        self.store = store
        for table in schema.tables { check(table) }
        for entity in store.entities where !entity.isAbstract { checkUse(of: entity) }
        let tables = store.layout.skippedTables
        if tables.contains(where: { $0.hasPrefix("ANSCK") }) {
            use.add(
                .pendingChanges, "",
                "The store is mirrored to CloudKit: what has not been downloaded is not in it.")
        }
    }

    /// Checks what an entity of the schema is taken from.
    private mutating func check(_ table: EntityTable) {
        guard let source = use.source(of: table) else { return }
        guard let mapping = CoreDataMapping(table, source, store) else {
            use.add(.missingTable, table.name, "The store has no '\(source.name)'.")
            return
        }
        if let links = mapping.links {
            take(links, mapping.covered)
        } else {
            for entity in mapping.covered { use.take(entity) }
        }
        let filled = Dictionary(
            mapping.fields.map { ($0.description.name, $0.origin) },
            uniquingKeysWith: { one, _ in one })
        for (index, field) in table.layout.fields.enumerated() {
            guard let origin = filled[field.name] else {
                let isSupplied = table.fields[index].supply != nil
                use.add(
                    .unfilledField, table.name, field: field.name,
                    source.fields[field.name].map { "The store has no '\($0)'." }
                        ?? "The field has no 'from', so that nothing fills it.",
                    isFatal: !field.isOptional && field.defaultValue == nil && !isSupplied)
                continue
            }
            switch origin {
            case .property(let name, let entities): take(name, Array(entities))
            case .owner(let entity, let property), .position(let entity, let property):
                take(property, store.model.tree(entity).map(\.name))
            case .key, .entity, .linkOwner, .linkTarget, .linkPosition: break
            }
        }
    }

    /// Notes that a property is taken, and its other side with it.
    private mutating func take(_ property: String, _ entities: [String]) {
        for entity in entities {
            use.take(entity, property)
            guard let found = store.model.entities[entity]?.properties[property],
                let destination = found.destination, let inverse = found.inverse
            else { continue }
            for other in store.model.tree(destination) {
                use.take(other.name, inverse)
            }
        }
    }

    /// Reports an entity or a property that no field takes.
    private mutating func checkUse(of entity: ModelEntity) {
        let stored = entity.sortedProperties.filter { property in
            property.isStoredAttribute && property.kind != .derived
                || (property.isToOne || property.isToMany) && !property.isTransient
        }
        use.reportUnused(
            entity.name, stored.map(\.name),
            "No type is taken from the entity '\(entity.name)': its objects are not copied.")
    }
}
