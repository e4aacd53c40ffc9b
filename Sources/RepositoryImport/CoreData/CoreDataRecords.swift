internal import CoreDataFormat
internal import RepositoryGeneratorCore
internal import RepositorySchema

/// What becomes one entity of the schemas: an entity of Core Data, or a whole tree of entities that
/// inherit from each other.
struct CoreDataRecords {
    /// A property, with what it is called if others have its name.
    struct Member {
        let property: ModelProperty
        /// The entity that declares it, or inherits it.
        let entity: String
        /// What it is taken from, behind the name of the class.
        let path: String
        let name: String
        /// Whether objects of other entities of the tree lack it.
        let isPartial: Bool
    }

    /// The entity, or the root of the tree.
    let entity: ModelEntity
    /// The entities whose objects are the records.
    let covered: [String]
    /// The properties.
    let members: [Member]
    /// Whether it is a tree.
    var isTree: Bool { covered.count > 1 || covered.first != entity.name }

    /// Divides the entities of a store.
    ///
    /// Something that refers to an entity with children refers to objects of all of them: these are
    /// one entity of the schemas. Other trees become an entity for each that has objects.
    static func all(_ store: CoreDataStore) -> [CoreDataRecords] {
        let model = store.model
        let entities = store.entities
        var referred: Set<String> = []
        for entity in entities {
            for property in entity.sortedProperties
            where property.kind == .relationship && !property.isTransient {
                if let destination = property.destination { referred.insert(destination) }
                if property.isToMany, property.inverse == nil {
                    referred.insert(model.declaring(entity.name, property.name))
                }
            }
        }
        var found: [CoreDataRecords] = []
        for root in entities where root.root == root.name {
            let tree = model.tree(root.name)
            if tree.contains(where: { !$0.children.isEmpty && referred.contains($0.name) }) {
                found.append(self.tree(root, tree))
                continue
            }
            for entity in tree where !entity.isAbstract {
                let members = entity.sortedProperties.map {
                    Member(
                        property: $0, entity: entity.name, path: $0.name, name: $0.name,
                        isPartial: false)
                }
                found.append(
                    CoreDataRecords(entity: entity, covered: [entity.name], members: members))
            }
        }
        return found
    }

    private static func tree(_ root: ModelEntity, _ tree: [ModelEntity]) -> CoreDataRecords {
        var declared: [(entity: ModelEntity, property: ModelProperty)] = []
        for entity in tree {
            declared += entity.sortedProperties.filter(\.isOwn).map { (entity, $0) }
        }
        var members: [Member] = []
        for (entity, property) in declared {
            let same = declared.filter { $0.property.name == property.name }
            let isPartial = entity.name != root.name
            guard same.contains(where: { !$0.property.isSimilar(to: property) }) else {
                if !members.contains(where: { $0.name == property.name }) {
                    members.append(
                        Member(
                            property: property, entity: entity.name, path: property.name,
                            name: property.name, isPartial: isPartial))
                }
                continue
            }
            let isFirst = !members.contains { $0.property.name == property.name }
            members.append(
                Member(
                    property: property, entity: entity.name,
                    path: "\(entity.name).\(property.name)",
                    name: isFirst ? property.name : property.name + ImportedName.set(entity.name),
                    isPartial: isPartial))
        }
        return CoreDataRecords(
            entity: root, covered: tree.filter { !$0.isAbstract }.map(\.name), members: members)
    }
}

extension ModelProperty {
    /// Whether the values of two properties of one name can be those of one field.
    fileprivate func isSimilar(to other: ModelProperty) -> Bool {
        kind == other.kind && type == other.type && destination == other.destination
            && isToMany == other.isToMany && inverse == other.inverse
            && elements.map(\.name) == other.elements.map(\.name)
            && elements.map(\.type) == other.elements.map(\.type)
            && isTransient == other.isTransient
    }
}
