internal import Foundation
internal import RepositorySchema
internal import StoredSchema

/// Rules for `from`: what records of the files of another database become.
extension Validator {
    /// Checks what an entity and its fields are taken from.
    ///
    /// ```yaml
    /// entity: Person
    /// from: { realm: Person }
    /// fields:
    ///   name: { type: String, from: { realm: Person.fullName } }
    ///   nick: { type: String, from: { realm: Person.fullName } }   # reported: is 'name' already
    /// ```
    mutating func checkSources(of entity: EntityDeclaration) {
        if let namespace = entity.sourceNamespace, UUID(uuidString: namespace.value) == nil {
            add("'namespace' is a UUID, not '\(namespace.value)'", at: namespace.range)
        }
        var fields = entity.fields
        if case .single(let id) = entity.identity { fields.insert(id, at: 0) }
        for kind in SourceKind.allCases {
            let own = entity.from[kind].flatMap { checkSource(ofEntity: $0) }
            var taken: [SourceName: Located<String>] = [:]
            for field in fields {
                guard let text = field.from[kind] else { continue }
                guard field.origin == nil else {
                    // Reported once for each entity, where it includes the mixin.
                    add(
                        "a field of a mixin has no 'from': each entity is taken from another class",
                        at: text.range, help: "declare '\(field.name.value)' in the entity")
                    continue
                }
                guard let name = checkSource(ofField: text) else { continue }
                guard entity.from[kind] != nil else {
                    add(
                        "'\(entity.header.name.value)' does not say what it is taken from",
                        at: text.range,
                        help: "add 'from: { \(kind.rawValue): \(name.type) }' to the entity")
                    continue
                }
                if let own { checkSource(name, at: text.range, in: own, kind) }
                if let first = taken[name] {
                    add(
                        "'\(text.value)' is taken by another field already", at: text.range,
                        help: "remove one of them",
                        notes: [Diagnostic.Note("it is taken here", at: first.range)])
                }
                taken[name] = text
                if kind == .realm, name.part == .key, entity.sourceNamespace == nil,
                    field.type.value == .base(.uuid)
                {
                    add(
                        "the keys of '\(name.type)' need a namespace to become UUIDs",
                        at: text.range,
                        help: "add 'namespace' with a new UUID to 'from' of the entity")
                }
            }
        }
    }

    /// Checks what the fields of a value are taken from.
    mutating func checkSources(ofMembers fields: [FieldDeclaration]) {
        for kind in SourceKind.allCases {
            var taken: Set<SourceName> = []
            for field in fields {
                guard let text = field.from[kind], let name = checkSource(ofField: text) else {
                    continue
                }
                if name.part != nil {
                    add(
                        "a field of a value is taken from a property, such as 'Address.street'",
                        at: text.range)
                } else if !taken.insert(name).inserted {
                    add(
                        "'\(text.value)' is taken by another field already", at: text.range,
                        help: "remove one of them")
                }
            }
        }
    }

    /// Checks the raw values that the cases of an enum are taken from.
    mutating func checkSources(of cases: [EnumCaseDeclaration]) {
        for kind in SourceKind.allCases {
            var taken: Set<String> = []
            for text in cases.compactMap({ $0.from[kind] })
            where !taken.insert(text.value).inserted {
                add(
                    "'\(text.value)' is taken by another case already", at: text.range,
                    help: "remove one of them")
            }
        }
    }

    /// Checks that no two entities are taken from one class.
    mutating func checkSourceClasses() {
        for kind in SourceKind.allCases {
            var taken: [String: Located<String>] = [:]
            for case .entity(let entity) in scope.set.declarations {
                guard let text = entity.from[kind] else { continue }
                if let first = taken[text.value] {
                    add(
                        "'\(text.value)' is taken by another entity already", at: text.range,
                        help: "remove one of them",
                        notes: [Diagnostic.Note("it is taken here", at: first.range)])
                }
                taken[text.value] = text
            }
        }
    }

    /// Checks the class, or the list of a class, that an entity is taken from.
    private mutating func checkSource(ofEntity text: Located<String>) -> SourceName? {
        guard let name = SourceName(text.value), name.partText == nil else {
            add(
                "'\(text.value)' is no class", at: text.range,
                help: "write a class such as 'Person', or its list 'Person.pets'")
            return nil
        }
        return name
    }

    /// Checks the form of what a field is taken from.
    private mutating func checkSource(ofField text: Located<String>) -> SourceName? {
        guard let name = SourceName(text.value), name.property != nil || name.partText != nil else {
            add(
                "'\(text.value)' is no property of a class", at: text.range,
                help: "write the class and its property: 'Person.fullName'")
            return nil
        }
        if let part = name.partText, name.part == nil {
            add(
                "'#\(part)' is no part of an object", at: text.range,
                help: "the parts are "
                    + SourceName.Part.allCases.map { "#\($0.rawValue)" }.joined(separator: ", "))
            return nil
        }
        return name
    }

    /// Checks that a field is taken from the class of its entity.
    private mutating func checkSource(
        _ name: SourceName, at range: SourceRange, in entity: SourceName, _ kind: SourceKind
    ) {
        guard name.type == entity.type else {
            add(
                "'\(name.type)' is not '\(entity.type)', which the entity is taken from", at: range,
                help: "write a property of '\(entity.type)'")
            return
        }
        if kind == .coredata, entity.property == nil, name.property != nil,
            name.part == .owner || name.part == .position
        {
            // A relationship of Core Data is stored by the objects of the other side.
            return
        }
        let isOfElement = name.part.map { $0 != .key && $0 != .entity } ?? false
        if isOfElement || entity.property != nil {
            guard isOfElement, name.property == entity.property, entity.property != nil else {
                add(
                    entity.property.map {
                        "an element of '\(entity.type).\($0)' has no property of its own"
                    } ?? "'#\(name.partText ?? "")' is a part of an element of a list",
                    at: range,
                    help: entity.property.map {
                        "write '\(entity.type).\($0)#owner', '#target', '#position' or '#entry'"
                    } ?? "write a property of '\(entity.type)'")
                return
            }
        } else if let part = name.part, name.property != nil {
            add(
                "'#\(part.rawValue)' is a part of an object, not of a property", at: range,
                help: "write '\(entity.type)#\(part.rawValue)'")
        }
    }
}
