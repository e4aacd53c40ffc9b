internal import Foundation
internal import RealmFormat
internal import RepositoryRuntime
internal import StoredSchema

extension RealmDatabase {
    /// Returns the class of a name.
    func type(named name: String) -> RealmClass? { classes.first { $0.name == name } }

    /// Returns the class that the links of a property refer to.
    func target(of property: RealmProperty) -> RealmClass? {
        property.target.flatMap { key in classes.last { $0.key == key } }
    }
}

extension StoredType {
    /// The type of the elements of lists and maps, of all levels.
    var innermost: StoredType {
        switch structure {
        case .list(let element, _), .map(let element, _): element.innermost
        default: self
        }
    }
}

extension RealmClass {
    /// Returns the index of a property.
    func index(of name: String?) -> Int? { properties.firstIndex { $0.name == name } }
}

/// How the id of an object is made that links refer to.
struct RealmReference {
    let type: RealmClass
    /// The namespace, if the key of the object becomes a UUID.
    let namespace: UUID?
    /// The property that is the id otherwise.
    let property: Int?

    /// - Parameter text: what the id is taken from, and the namespace behind a space.
    init?(_ text: String, in database: RealmDatabase) {
        let parts = text.split(separator: " ").map(String.init)
        guard let name = parts.first.flatMap({ SourceName($0) }),
            let type = database.type(named: name.type)
        else { return nil }
        self.type = type
        namespace = parts.count > 1 ? UUID(uuidString: parts[1]) : nil
        property = type.index(of: name.property)
        guard name.part == .key || property != nil else { return nil }
    }
}

/// How the values of a property become those of a field.
final class RealmFieldPlan {
    /// A field of a value.
    struct Member {
        let name: String
        let property: Int
        let plan: RealmFieldPlan
    }

    /// A case of a union.
    struct Case {
        /// The name of its only field.
        let member: String
        let reference: RealmReference?
    }

    /// The raw values of the cases of an enum by those in the file.
    let values: [String: String]
    let reference: RealmReference?
    /// The embedded class that becomes a value, and the fields of the value.
    let embedded: RealmClass?
    let members: [Member]
    /// The cases of the union that a value of any type becomes.
    let cases: [String: Case]
    /// Whether the property has several values. A value of any type can be a list, too.
    let isCollection: Bool

    /// - Parameters:
    ///   - path: the path of the field in the entity.
    ///   - type: the type of the field, or of its elements.
    init(
        _ path: String, _ type: StoredType, _ property: RealmProperty, _ source: TableSource,
        _ database: RealmDatabase
    ) {
        values = source.values[path] ?? [:]
        isCollection = property.collection != nil
        reference = source.references[path].flatMap { RealmReference($0, in: database) }
        var members: [Member] = []
        var cases: [String: Case] = [:]
        var embedded: RealmClass?
        if case .object(let layout) = type.innermost.structure {
            if property.type == .mixed {
                for field in layout.fields {
                    guard case .object(let inner) = field.type.structure,
                        let member = inner.fields.first?.name
                    else { continue }
                    let reference = source.references["\(path).\(field.name).\(member)"]
                    cases[field.name] = Case(
                        member: member,
                        reference: reference.flatMap { RealmReference($0, in: database) })
                }
            } else if let target = database.target(of: property) {
                embedded = target
                for field in layout.fields {
                    let inner = "\(path).\(field.name)"
                    guard let name = source.fields[inner].flatMap({ SourceName($0) }),
                        let index = target.index(of: name.property)
                    else { continue }
                    members.append(
                        Member(
                            name: field.name, property: index,
                            plan: RealmFieldPlan(
                                inner, field.type, target.properties[index], source, database)))
                }
            }
        }
        (self.members, self.cases, self.embedded) = (members, cases, embedded)
    }
}

/// How the objects of a class, or the elements of its list, become the records of an entity.
struct RealmMapping {
    /// What a field is taken from.
    enum Origin {
        /// The key of the object.
        case key(namespace: UUID?)
        case property(Int)
        case owner, target, position, entry
    }

    struct Field {
        let name: String
        let origin: Origin
        let plan: RealmFieldPlan?
        let reference: RealmReference?
    }

    let type: RealmClass
    /// The index of the list whose elements become records; nil if the objects do.
    let list: Int?
    let fields: [Field]

    /// Returns nil if the file does not have the class or the list.
    init?(_ table: EntityTable, _ source: TableSource, _ database: RealmDatabase) {
        guard let name = SourceName(source.name), let type = database.type(named: name.type)
        else { return nil }
        self.type = type
        list = type.index(of: name.property)
        if name.property != nil, list == nil { return nil }
        let namespace = source.namespace.flatMap { UUID(uuidString: $0) }
        fields = table.layout.fields.compactMap { field in
            guard let name = source.fields[field.name].flatMap({ SourceName($0) }) else {
                return nil
            }
            let reference = source.references[field.name].flatMap {
                RealmReference($0, in: database)
            }
            var plan: RealmFieldPlan?
            let origin: Origin
            switch name.part {
            case .key: origin = .key(namespace: namespace)
            case .owner: origin = .owner
            case .target: origin = .target
            case .position: origin = .position
            case .entry: origin = .entry
            default:
                guard let index = type.index(of: name.property) else { return nil }
                origin = .property(index)
                plan = RealmFieldPlan(
                    field.name, field.type, type.properties[index], source, database)
            }
            return Field(name: field.name, origin: origin, plan: plan, reference: reference)
        }
    }
}
