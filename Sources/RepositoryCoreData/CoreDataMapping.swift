internal import CoreDataFormat
internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema

extension SourceName {
    /// The entity that declares the property, and the name of the property. The name of an entity
    /// that inherits precedes it where several have the property: `Media.Video.text`.
    var path: (entity: String, property: String)? {
        guard let parts = property?.split(separator: ".", maxSplits: 1).map(String.init),
            let first = parts.first
        else { return nil }
        return parts.count > 1 ? (first, parts[1]) : (type, first)
    }
}

/// How the objects of an entity, or the links of its relationship, become the records of a type.
struct CoreDataMapping {
    /// What a field is taken from.
    enum Origin {
        /// The key of the object.
        case key
        /// The entity of the object.
        case entity
        /// A property of the objects of an entity and those that inherit from it.
        case property(String, in: Set<String>)
        /// The owner in a relationship to many, or the position among its objects.
        case owner(entity: String, property: String)
        case position(entity: String, property: String)
        /// The parts of a link.
        case linkOwner, linkTarget, linkPosition
    }

    struct Field {
        let description: FieldDescription
        let origin: Origin
        /// What the id of the object that it refers to is taken from.
        let reference: SourceName?
    }

    /// The entity.
    let entity: String
    /// The entities whose objects are records, or have the links.
    let covered: [String]
    /// The relationship whose links are records; nil if the objects are.
    let links: String?
    let fields: [Field]

    /// Returns nil if the store does not have the entity or the relationship.
    init?(_ table: EntityTable, _ source: TableSource, _ store: CoreDataStore) {
        guard let name = SourceName(source.name), store.layout.tables[name.type] != nil,
            store.layout.numbers[name.type] != nil
        else { return nil }
        entity = name.type
        links = name.path?.property
        let model = store.model
        let tree = model.tree(name.type).map(\.name)
        if let path = name.path,
            !(tree + [path.entity]).contains(where: {
                model.entities[$0]?.properties[path.property]?.isToMany == true
            })
        {
            return nil
        }
        let isTree =
            links != nil || source.fields.values.contains("\(name.type)#entity")
        covered = (isTree ? tree : [name.type]).filter { store.layout.numbers[$0] != nil }
        fields = table.layout.fields.compactMap { field in
            guard let text = source.fields[field.name] else { return nil }
            let reference = source.references[field.name].flatMap { reference in
                reference.split(separator: " ").first.flatMap { SourceName(String($0)) }
            }
            guard let origin = SourceName(text).flatMap({ Self.origin($0, name, tree, model) })
            else { return nil }
            return Field(description: field, origin: origin, reference: reference)
        }
    }

    private static func origin(
        _ name: SourceName, _ own: SourceName, _ tree: [String], _ model: StoreModel
    ) -> Origin? {
        if own.property != nil {
            switch name.part {
            case .owner: return .linkOwner
            case .target: return .linkTarget
            case .position: return .linkPosition
            default: return nil
            }
        }
        guard let path = name.path else {
            return name.part == .key ? .key : name.part == .entity ? .entity : nil
        }
        switch name.part {
        case nil:
            let entities =
                path.entity == name.type ? tree : model.tree(path.entity).map(\.name)
            let having = entities.filter { model.entities[$0]?.properties[path.property] != nil }
            return having.isEmpty ? nil : .property(path.property, in: Set(having))
        case .owner:
            return model.entities[path.entity]?.properties[path.property]?.isToMany == true
                ? .owner(entity: path.entity, property: path.property) : nil
        case .position:
            // Of a relationship to one, the position among those of the other side.
            for entity in tree + [path.entity] {
                guard let property = model.entities[entity]?.properties[path.property] else {
                    continue
                }
                if property.isToMany {
                    return .position(entity: entity, property: path.property)
                }
                guard let other = property.destination, let inverse = property.inverse else {
                    return nil
                }
                return .position(entity: other, property: inverse)
            }
            return nil
        default: return nil
        }
    }
}
