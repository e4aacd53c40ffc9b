internal import Foundation

/// Reads a model from the XML that Xcode writes: the `contents` of an `.xcdatamodel`.
struct WrittenModel {
    /// The composite attributes, which entities refer to by name.
    private let composites: [String: PlainXML]

    /// Reads a model.
    ///
    /// - Throws: ``CoreDataFileError``.
    static func model(_ bytes: [UInt8], source: String) throws(CoreDataFileError) -> StoreModel {
        let root = try PlainXML.document(bytes)
        guard root.name == "model" else {
            throw CoreDataFileError(.otherFormat, "\(source) is not a data model.")
        }
        var composites: [String: PlainXML] = [:]
        for element in root.children("composite") + root.children("compositeAttribute") {
            composites[element.attributes["name"] ?? ""] = element
        }
        let reader = WrittenModel(composites: composites)
        var entities: [ModelEntity] = []
        for element in root.children("entity") { entities.append(try reader.entity(element)) }
        var configurations: [String: [String]] = [:]
        for element in root.children("configuration") {
            configurations[element.attributes["name"] ?? ""] = element.children("memberEntity")
                .compactMap { $0.attributes["name"] }.sorted(by: NameOrder.precedes)
        }
        let version = root.attributes["userDefinedModelVersionIdentifier"]
        return try StoreModel(
            source: source, entities: entities,
            versionIdentifiers: version.map { $0.isEmpty ? [] : [$0] } ?? [],
            configurations: configurations)
    }

    private func name(_ element: PlainXML) throws(CoreDataFileError) -> String {
        guard let name = element.attributes["name"], !name.isEmpty else {
            throw CoreDataFileError(
                .damaged, "An element '\(element.name)' of the model has no name.")
        }
        return name
    }

    private func entity(_ element: PlainXML) throws(CoreDataFileError) -> ModelEntity {
        var entity = ModelEntity(try name(element))
        entity.className = element.attributes["representedClassName"]
        entity.isAbstract = element.attributes["isAbstract"] == "YES"
        entity.parent = element.attributes["parentEntity"]
        entity.renamedFrom = renamed(element, entity.name)
        entity.userInfo = userInfo(element)
        for child in element.children {
            switch child.name {
            case "attribute":
                let property = try attribute(child)
                entity.properties[property.name] = property
            case "relationship":
                let property = try relationship(child)
                entity.properties[property.name] = property
            case "fetchedProperty":
                var property = ModelProperty(try name(child), .fetched)
                property.destination = child.children("fetchRequest").first?.attributes["entity"]
                entity.properties[property.name] = property
            case "uniquenessConstraints":
                entity.unique += child.children("uniquenessConstraint").map { list in
                    list.children("constraint").compactMap { $0.attributes["value"] }
                }
            case "fetchIndex":
                let fields = child.children("fetchIndexElement").map { field in
                    let name = field.attributes["property"] ?? field.attributes["expression"]
                    return (name ?? "?", field.attributes["order"] == "descending")
                }
                entity.indexes.append(
                    ModelEntity.Index(
                        name: child.attributes["name"], fields: fields,
                        condition: child.attributes["partialIndexPredicate"]))
            case "compoundIndexes":
                for index in child.children("compoundIndex") {
                    let fields = index.children("index").compactMap { $0.attributes["value"] }
                    entity.indexes.append(
                        ModelEntity.Index(
                            name: nil, fields: fields.map { ($0, false) }, condition: nil))
                }
            case "userInfo": break
            default:
                throw CoreDataFileError(
                    .unknown,
                    "The entity \(entity.name) of the model has an element '\(child.name)'.")
            }
        }
        return entity
    }

    private func renamed(_ element: PlainXML, _ name: String) -> String? {
        let identifier = element.attributes["elementID"]
        return identifier == name || identifier?.isEmpty == true ? nil : identifier
    }

    private func userInfo(_ element: PlainXML) -> PlainValue? {
        let entries = element.children("userInfo").flatMap { $0.children("entry") }
        guard !entries.isEmpty else { return nil }
        return .dictionary(
            entries.map { entry in
                PlainPair(
                    key: .string(entry.attributes["key"] ?? ""),
                    value: .string(entry.attributes["value"] ?? ""))
            })
    }

    private func attribute(
        _ element: PlainXML, depth: Int = 0
    ) throws(CoreDataFileError) -> ModelProperty {
        let name = try name(element)
        let attributes = element.attributes
        let typeName = attributes["attributeType"] ?? "Undefined"
        guard let type = AttributeType(modelName: typeName), depth < 16 else {
            throw CoreDataFileError(
                .unknown, "The attribute \(name) of the model is of the type '\(typeName)'.")
        }
        let kind: ModelProperty.Kind =
            type == .composite
            ? .composite : attributes["derived"] == "YES" ? .derived : .attribute
        var property = ModelProperty(name, kind)
        property.type = type
        property.isOptional = attributes["optional"] == "YES"
        property.isTransient = attributes["transient"] == "YES"
        property.isExternal = attributes["allowsExternalBinaryDataStorage"] == "YES"
        property.renamedFrom = renamed(element, name)
        property.userInfo = userInfo(element)
        property.transformer = attributes["valueTransformerName"]
        property.valueClass = attributes["customClassName"]
        property.derivation = attributes["derivationExpression"]
        property.defaultValue = Self.defaultValue(attributes, type)
        property.rules = Self.rules(attributes, type)
        if kind == .composite {
            guard let found = composites[attributes["composite"] ?? name] else {
                throw CoreDataFileError(
                    .unknown, "The composite attribute \(name) of the model is not declared.")
            }
            for child in found.children("attribute") {
                property.elements.append(try attribute(child, depth: depth + 1))
            }
        }
        return property
    }

    /// The default value. Texts can be left from another type that the attribute had: they do not
    /// count.
    private static func defaultValue(
        _ attributes: [String: String], _ type: AttributeType
    ) -> PlainValue? {
        if let seconds = attributes["defaultDateTimeInterval"].flatMap(Double.init) {
            return .date(seconds)
        }
        guard let text = attributes["defaultValueString"] else { return nil }
        switch type {
        case .bool:
            if text == "YES" { return .bool(true) }
            if text == "NO" { return .bool(false) }
            return Int(text).map { .bool($0 != 0) }
        case .int16, .int32, .int64:
            if let whole = Int64(text) { return .integer(Int128(whole)) }
            return Double(text).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
                .map { .integer(Int128($0)) }
        case .double, .float: return Double(text).map { .double($0) }
        case .decimal: return Double(text) == nil ? nil : .decimal(text)
        case .string, .uri: return .string(text)
        case .uuid: return UUID(uuidString: text).map { .uuid($0) }
        case .undefined, .date, .data, .transformable, .objectID, .composite: return nil
        }
    }

    /// The validation rules that archived models contain as predicates.
    private static func rules(
        _ attributes: [String: String], _ type: AttributeType
    ) -> [ModelProperty.Rule] {
        let left = type == .string ? "length" : "SELF"
        var found: [ModelProperty.Rule] = []
        for (key, operation) in [("minValueString", ">="), ("maxValueString", "<=")] {
            guard let text = attributes[key], let number = Double(text) else { continue }
            let constant =
                Int64(text).map { PlainValue.integer(Int128($0)) } ?? PlainValue.double(number)
            found.append(
                ModelProperty.Rule(
                    text: "\(left) \(operation) \(text)", comparison: (left, operation, constant)))
        }
        if let pattern = attributes["regularExpressionString"] {
            found.append(
                ModelProperty.Rule(
                    text: "SELF MATCHES '\(pattern)'",
                    comparison: ("SELF", "MATCHES", .string(pattern))))
        }
        return found
    }

    private func relationship(_ element: PlainXML) throws(CoreDataFileError) -> ModelProperty {
        let attributes = element.attributes
        var property = ModelProperty(try name(element), .relationship)
        property.isOptional = attributes["optional"] == "YES"
        property.isTransient = attributes["transient"] == "YES"
        property.isOrdered = attributes["ordered"] == "YES"
        property.renamedFrom = renamed(element, property.name)
        property.userInfo = userInfo(element)
        property.destination = attributes["destinationEntity"]
        property.inverse = attributes["inverseName"]
        property.minimumCount = attributes["minCount"].flatMap(Int.init) ?? 0
        property.maximumCount = attributes["maxCount"].flatMap(Int.init) ?? 0
        if attributes["toMany"] != "YES" {
            property.maximumCount = 1
        } else if property.maximumCount == 1 {
            property.maximumCount = 0
        }
        switch attributes["deletionRule"] ?? "Nullify" {
        case "No Action": property.deleteRule = .noAction
        case "Nullify": property.deleteRule = .nullify
        case "Cascade": property.deleteRule = .cascade
        case "Deny": property.deleteRule = .deny
        case let rule:
            throw CoreDataFileError(
                .unknown, "The relationship \(property.name) has the delete rule '\(rule)'.")
        }
        return property
    }
}
