internal import Foundation

/// Reads a model from its keyed archive: that of `Z_MODELCACHE`, inflated, or a `.mom` file.
struct ArchivedModel {
    private let archive: KeyedArchive

    /// The maximum size of an inflated model. The largest of a real store has 374 kB.
    static let limit = 16 << 20

    /// Reads a model.
    ///
    /// - Parameters:
    ///   - bytes: the archive.
    ///   - source: where it comes from, for reports.
    /// - Throws: ``CoreDataFileError``.
    static func model(_ bytes: [UInt8], source: String) throws(CoreDataFileError) -> StoreModel {
        guard bytes.count <= limit else {
            throw CoreDataFileError(.damaged, "The model is larger than \(limit) bytes.")
        }
        return try ArchivedModel(archive: KeyedArchive(bytes)).model(source)
    }

    private func model(_ source: String) throws(CoreDataFileError) -> StoreModel {
        guard let root = try archive.object(archive.root) else {
            throw CoreDataFileError(.damaged, "The archive contains no model.")
        }
        guard root.className == "NSManagedObjectModel" else {
            throw CoreDataFileError(
                .unknown,
                "The archive contains an object of class \(root.className ?? "?") instead of NSManagedObjectModel."
            )
        }
        var versions: [String] = []
        for item in try archive.items(root.members["NSVersionIdentifiers"]) {
            if let text = try archive.string(item) { versions.append(text) }
        }
        var configurations: [String: [String]] = [:]
        for (name, list) in try archive.pairs(root.members["NSConfigurations"]) {
            var found: [String] = []
            // Entities, or their names.
            for item in try archive.items(list) {
                let entity = try archive.object(item)?.members["NSEntityName"] ?? item
                if let text = try archive.string(entity) { found.append(text) }
            }
            configurations[name] = found.sorted(by: NameOrder.precedes)
        }
        var entities: [ModelEntity] = []
        for (name, number) in try archive.pairs(root.members["NSEntities"]) {
            entities.append(try entity(name, number))
        }
        return try StoreModel(
            source: source, entities: entities, versionIdentifiers: versions,
            configurations: configurations)
    }

    private func entity(_ name: String, _ number: Int) throws(CoreDataFileError) -> ModelEntity {
        let raw = try archive.object(number)
        guard let raw, raw.className == "NSEntityDescription" else {
            throw CoreDataFileError(
                .unknown, "The entity \(name) of the model is of class \(raw?.className ?? "?").")
        }
        let members = raw.members
        var entity = ModelEntity(name)
        entity.className = try archive.string(members["NSClassNameForEntity"])
        entity.isAbstract = try archive.isTrue(members["NSIsAbstract"])
        if let parent = try archive.object(members["NSSuperentity"]) {
            entity.parent = try archive.string(parent.members["NSEntityName"])
        }
        for list in try archive.items(members["NSUniqueTuples"]) {
            entity.unique.append(try propertyNames(list))
        }
        for item in try archive.items(members["NSFetchIndexDescriptions"]) {
            guard let index = try archive.object(item)?.members else { continue }
            var fields: [(String, Bool)] = []
            for item in try archive.items(index["NSIndexElements"]) {
                let field = try archive.object(item)?.members ?? [:]
                let isDescending = try archive.integer(field["NSAscending"]) == 0
                fields.append((try archive.string(field["NSPropertyName"]) ?? "?", isDescending))
            }
            let condition = try PredicateText.text(index["NSPartialIndexPredicate"], in: archive)
            entity.indexes.append(
                ModelEntity.Index(
                    name: try archive.string(index["NSIndexName"]), fields: fields,
                    condition: condition))
        }
        for list in try archive.items(members["NSCompoundIndexes"]) {
            let fields = try propertyNames(list).map { ($0, false) }
            entity.indexes.append(ModelEntity.Index(name: nil, fields: fields, condition: nil))
        }
        entity.renamedFrom = try renamed(members, name)
        entity.userInfo = userInfo(members)
        for (name, number) in try archive.pairs(members["NSProperties"]) {
            entity.properties[name] = try property(name, number)
        }
        return entity
    }

    /// The names in a list of names or of properties.
    private func propertyNames(_ list: Int) throws(CoreDataFileError) -> [String] {
        var found: [String] = []
        for item in try archive.items(list) {
            let name = try archive.object(item)?.members["NSPropertyName"] ?? item
            found.append(try archive.string(name) ?? "?")
        }
        return found
    }

    private func renamed(
        _ members: [String: Int], _ name: String
    ) throws(CoreDataFileError) -> String? {
        let identifier = try archive.string(members["NSRenamingIdentifier"])
        return identifier == name || identifier?.isEmpty == true ? nil : identifier
    }

    /// What the app added; `nil` if it is of its own classes, which no reader knows.
    private func userInfo(_ members: [String: Int]) -> PlainValue? {
        members["NSUserInfo"].flatMap { try? archive.plain($0) }
    }

    private func property(
        _ name: String, _ number: Int, depth: Int = 0
    ) throws(CoreDataFileError) -> ModelProperty {
        var raw = try archive.object(number)
        // An inherited property.
        var steps = 0
        while raw?.className == "_NSPropertyDescriptionProxy", steps < 100 {
            raw = try archive.object(raw?.members["NSUnderlyingProperty"])
            steps += 1
        }
        let kinds: [String: ModelProperty.Kind] = [
            "NSAttributeDescription": .attribute, "NSDerivedAttributeDescription": .derived,
            "NSCompositeAttributeDescription": .composite,
            "NSRelationshipDescription": .relationship, "NSFetchedPropertyDescription": .fetched,
            "NSExpressionDescription": .expression,
        ]
        guard let raw, let kind = kinds[raw.className ?? ""], depth < 16 else {
            throw CoreDataFileError(
                .unknown, "The property \(name) of the model is of class \(raw?.className ?? "?").")
        }
        let members = raw.members
        var property = ModelProperty(name, kind)
        let flags = try archive.integer(members["_P"]) ?? 0
        let isOptional = try archive.isTrue(members["NSIsOptional"])
        property.isOptional = isOptional || flags & 2 != 0
        let isTransient = try archive.isTrue(members["NSIsTransient"])
        property.isTransient = isTransient || flags & 8 != 0
        property.renamedFrom = try renamed(members, name)
        property.userInfo = userInfo(members)
        for item in try archive.items(members["NSValidationPredicates"]) {
            property.rules.append(try PredicateText.rule(item, in: archive))
        }
        switch kind {
        case .relationship: try readRelationship(members, flags, into: &property)
        case .fetched:
            property.destination = try archive.string(members["_NSFetchRequestEntityName"])
        case .attribute, .derived, .composite, .expression:
            try readAttribute(members, into: &property)
            guard kind == .composite else { break }
            property.type = .composite
            for item in try archive.items(members["NSCompositeElements"]) {
                let element = try archive.object(item)?.members["NSPropertyName"]
                guard let elementName = try archive.string(element) else {
                    throw CoreDataFileError(.damaged, "The composite \(name) is damaged.")
                }
                property.elements.append(try self.property(elementName, item, depth: depth + 1))
            }
        }
        return property
    }

    private func readRelationship(
        _ members: [String: Int], _ flags: Int, into property: inout ModelProperty
    ) throws(CoreDataFileError) {
        property.destination = try archive.string(members["_NSDestinationEntityName"])
        if property.destination == nil {
            let entity = try archive.object(members["NSDestinationEntity"])
            property.destination = try archive.string(entity?.members["NSEntityName"])
        }
        property.inverse = try archive.string(members["_NSInverseRelationshipName"])
        if property.inverse == nil {
            let inverse = try archive.object(members["NSInverseRelationship"])
            property.inverse = try archive.string(inverse?.members["NSPropertyName"])
        }
        property.minimumCount = try archive.integer(members["NSMinCount"]) ?? 0
        property.maximumCount = try archive.integer(members["NSMaxCount"]) ?? 0
        let rule = try archive.integer(members["NSDeleteRule"]) ?? 1
        guard let known = ModelProperty.DeleteRule(rawValue: rule) else {
            throw CoreDataFileError(
                .unknown, "The relationship \(property.name) has the delete rule \(rule).")
        }
        property.deleteRule = known
        let isOrdered = try archive.isTrue(members["NSIsOrdered"])
        property.isOrdered = isOrdered || flags & 0x400 != 0
    }

    private func readAttribute(
        _ members: [String: Int], into property: inout ModelProperty
    ) throws(CoreDataFileError) {
        let code = try archive.integer(members["NSAttributeType"]) ?? 0
        guard let type = AttributeType(rawValue: code) else {
            throw CoreDataFileError(
                .unknown, "The attribute \(property.name) is of the type \(code).")
        }
        property.type = type
        property.valueClass = try archive.string(members["NSAttributeValueClassName"])
        let transformer = try archive.string(members["NSValueTransformerName"])
        property.transformer = transformer?.isEmpty == true ? nil : transformer
        property.isExternal = try (archive.integer(members["NSFlagsKey"]) ?? 0) & 4 != 0
        if let number = members["NSDefaultValue"] {
            do throws(CoreDataFileError) {
                let value = try archive.plain(number)
                property.defaultValue = value == .null ? nil : value
                if type == .bool, case .integer(let number) = value {
                    property.defaultValue = .bool(number != 0)
                }
            } catch {
                property.defaultClass = error.reason
            }
        }
        property.derivation = try PredicateText.text(
            members["NSDerivationExpression"], in: archive)
    }
}

extension StoreModel {
    /// Reads an archived model.
    ///
    /// - Parameters:
    ///   - bytes: the archive, compressed as in `Z_MODELCACHE` or not.
    ///   - source: where it comes from, for reports.
    /// - Throws: ``CoreDataFileError``.
    package init(archive bytes: [UInt8], source: String) throws(CoreDataFileError) {
        let archive =
            bytes.starts(with: "bplist".utf8)
            ? bytes : try Inflate.bytes(of: bytes, limit: ArchivedModel.limit)
        self = try ArchivedModel.model(archive, source: source)
    }
}
