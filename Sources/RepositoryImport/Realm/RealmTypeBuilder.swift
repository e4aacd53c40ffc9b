internal import RealmFormat
internal import RepositoryGeneratorCore
internal import RepositorySchema

/// Builds the type of a class, and those that it needs: an entity for each list of links, a union
/// for each property of any type.
struct RealmTypeBuilder {
    let file: ScannedRealm
    let table: RealmClass
    /// The names of the types of classes, by the keys of their tables.
    let types: [UInt32: String]
    let refusals: [SchemaPart: String]

    private var name: String { types[table.key] ?? table.name }
    private var isEmbedded: Bool { table.kind == .embedded }

    /// Builds the types.
    func types(_ names: inout TypeNames) -> [ObjectTypeDraft] {
        let count = Count.text(file.counts[table.key] ?? 0, "object")
        var type = ObjectTypeDraft(
            kind: isEmbedded ? .value : .entity, origin: table.tableName, name: name,
            report:
                "\(isEmbedded ? "embedded class" : "class") \(SQLText.shown(table.name)), \(count)"
        )
        var others: [ObjectTypeDraft] = []
        var taken: Set<String> = isEmbedded ? [] : ["id"]
        let key = isEmbedded ? nil : primaryKey
        if !isEmbedded { addID(key, to: &type, &taken) }
        for (index, property) in table.properties.enumerated() where index != key {
            let subject = "property \(SQLText.shown(property.name))"
            if let reason = refusals[.column(table.tableName, index)] {
                type.notes.append(Note(subject: subject, text: reason))
                continue
            }
            if property.isInternal { continue }
            if property.type == .link, property.collection != nil, !isEmbedded,
                let target = file.target(of: property), target.kind == .object,
                let targetName = types[target.key]
            {
                others.append(join(index, property, targetName, &names))
                type.notes.append(
                    Note(
                        subject: subject,
                        text: "\(file.database.typeName(of: property)) → "
                            + (others.last?.name ?? "")))
                continue
            }
            var element = ElementType.unknown("")
            if property.type == .mixed, let union = union(index, property, &names) {
                others.append(union)
                element = .type(union.name + "?")
            } else {
                element = elementType(of: property)
            }
            switch element {
            case .type(let name):
                type.fields.append(field(index, property, name, &taken))
            case .unknown(let reason):
                type.notes.append(Note(subject: subject, text: reason))
            }
        }
        if isEmbedded, type.fields.isEmpty {
            type.notes.append(Note(subject: "class", text: "nothing of it is described"))
        }
        return [type] + others
    }

    /// The position of the primary key, if its values can be ids.
    private var primaryKey: Int? {
        guard let index = table.properties.firstIndex(where: { $0.name == table.primaryKey }),
            refusals[.column(table.tableName, index)] == nil,
            [.string, .int, .uuid, .objectID].contains(table.properties[index].type),
            file.facts[table.key]?[index].hasNull == false
        else { return nil }
        return index
    }

    /// Adds the id: the primary key, or a UUID made of the key of the object.
    private func addID(_ key: Int?, to type: inout ObjectTypeDraft, _ taken: inout Set<String>) {
        type.from = table.name
        if let key {
            let property = table.properties[key]
            guard case .type(let name) = elementType(of: property) else { return }
            var field = field(key, property, name.replacing("?", with: ""), &taken)
            field.options.removeAll()
            type.fields.append(field)
            return
        }
        type.namespace = Self.namespace(of: file.source)
        type.fields.append(
            ObjectFieldDraft(
                column: -1, name: "id", type: "UUID", options: [("default", "generated")],
                from: "\(table.name)#key",
                report: file.database.format < 10
                    ? "row number; deletions give it to another object, so that a file can be "
                        + "copied once and not merged"
                    : "key of the object, in a namespace"))
    }

    /// Returns a UUID for the name of a file: the same each time, and another one for other names.
    private static func namespace(of source: String) -> String {
        func hash(_ seed: UInt64) -> UInt64 {
            var hash = XXHash64()
            hash.update(seed)
            hash.update(source)
            return hash.digest()
        }
        // A UUID of version 8: of our own making.
        let high = hash(1) & ~0xF000 | 0x8000
        let low = hash(2) & ~(3 << 62) | 1 << 63
        let digits = [high, low].map { word in
            let text = String(word, radix: 16, uppercase: true)
            return String(repeating: "0", count: 16 - text.count) + text
        }.joined()
        var rest = digits[...]
        return [8, 4, 4, 4, 12].map { length in
            defer { rest = rest.dropFirst(length) }
            return String(rest.prefix(length))
        }.joined(separator: "-")
    }

    private enum ElementType {
        case type(String)
        case unknown(String)
    }

    /// Returns the type of a value or, of a collection, of its elements.
    private func elementType(of property: RealmProperty) -> ElementType {
        let name: String
        switch property.type {
        case .int: name = "Int64"
        case .bool: name = "Bool"
        case .string, .enumeratedString: name = "String"
        case .binary: name = "Data"
        case .date, .oldDate: name = "Date"
        case .float: name = "Float"
        case .double: name = "Double"
        case .decimal: name = "Decimal"
        case .objectID: name = "String"
        case .uuid: name = "UUID"
        case .mixed: return .unknown("all values are null, so that their types are unknown")
        case .link, .linkList:
            guard let target = file.target(of: property), let type = types[target.key] else {
                return .unknown("links to a class that is not described")
            }
            // A reference is optional, and so is a value; an element of a list never is.
            let isSingle = property.collection == nil || property.collection == .dictionary
            return .type(type + (isSingle ? "?" : ""))
        case .typedLink: return .unknown("links to objects of any class")
        case .backlink: return .unknown("mirrors links")
        case .table:
            return .unknown("is a table inside a row: \(file.database.typeName(of: property))")
        }
        return .type(name + (property.isNullable ? "?" : ""))
    }

    /// Creates the field of a property.
    private func field(
        _ index: Int, _ property: RealmProperty, _ element: String, _ taken: inout Set<String>
    ) -> ObjectFieldDraft {
        let name = name(of: property.name, index, &taken)
        let type =
            switch property.collection {
            case .list, .set: "[\(element)]"
            case .dictionary: "[String: \(element)]"
            case nil: element
            }
        var field = ObjectFieldDraft(
            column: index, name: name, type: type, from: "\(table.name).\(property.name)",
            report: "property \(SQLText.shown(property.name)), "
                + file.database.typeName(of: property))
        let target = property.type == .link ? file.target(of: property) : nil
        if property.collection == nil, let target, target.kind == .object {
            if !isEmbedded {
                field.target = types[target.key]
                field.options.append(("index", "true"))
                if refusals[.rule(table.tableName, index)] == nil {
                    field.options.append(("onDelete", "setNull"))
                }
            }
        } else if property.isIndexed, !isEmbedded, property.collection == nil {
            field.options.append(("index", "true"))
        }
        addNotes(index, property, to: &field)
        return field
    }

    private func addNotes(_ index: Int, _ property: RealmProperty, to field: inout ObjectFieldDraft)
    {
        if property.type == .decimal {
            field.notes.append(
                Note(subject: "Decimal128", text: "has up to 34 digits; a Decimal may not fit"))
        }
        if property.collection == .set {
            field.notes.append(Note(subject: "MutableSet", text: "a list without repeats"))
        }
        let count = file.counts[table.key] ?? 0
        guard property.collection == nil, property.name != table.primaryKey,
            [.string, .int].contains(property.type),
            let few = file.facts[table.key]?[index].few, few.count > 1, count >= 4 * few.count
        else { return }
        let values = few.sorted().map { property.type == .int ? $0 : SQLText.shown($0) }
        field.notes.append(
            Note(
                subject: "values \(values.joined(separator: ", "))", text: "an enum is possible"))
    }

    /// Gives a name to a field.
    private func name(
        of property: String, _ index: Int, _ taken: inout Set<String>
    ) -> String {
        var name = ImportedName.property(property)
        if refusals[.fieldName(table.tableName, index)] != nil { name += "Value" }
        // The id may have the name that it has when none is declared.
        if property == table.primaryKey { taken.remove("id") }
        name = ImportedName.unique(name) { taken.contains($0.lowercased()) }
        taken.insert(name.lowercased())
        return name
    }

    /// Creates the entity of a list, set or dictionary of links.
    private func join(
        _ index: Int, _ property: RealmProperty, _ target: String, _ names: inout TypeNames
    ) -> ObjectTypeDraft {
        let source = "\(table.name).\(property.name)"
        let origin = "\(table.tableName).\(property.name)"
        let element = ImportedName.entity(property.name)
        var type = ObjectTypeDraft(
            kind: .entity, origin: origin, name: names.add(name + element, origin),
            report: "property \(SQLText.shown(property.name)) of class "
                + "\(SQLText.shown(table.name)), \(file.database.typeName(of: property))")
        type.from = source
        var taken: Set<String> = ["id"]
        func add(_ column: Int, _ wanted: String, _ type: String, _ part: String, _ what: String)
            -> ObjectFieldDraft
        {
            let name = ImportedName.unique(wanted) { taken.contains($0.lowercased()) }
            taken.formUnion([name.lowercased(), name.lowercased() + "id"])
            return ObjectFieldDraft(
                column: column, name: name, type: type, from: "\(source)#\(part)", report: what)
        }
        var owner = add(0, Naming.lowerCamelCase(name), name, "owner", "the object with the list")
        var link = add(
            1, Naming.lowerCamelCase(element), target, "target", "the object that it links to")
        owner.options = [("onDelete", "cascade")]
        // The relations of the target find their records by it.
        link.options = [("index", "true"), ("onDelete", "cascade")]
        (owner.target, link.target) = (name, target)
        switch property.collection {
        case .set:
            type.fields = [owner, link]
            type.compositeID = [owner.name, link.name]
        case .dictionary:
            let key = add(2, "key", "String", "entry", "its key")
            type.fields = [owner, key, link]
            type.compositeID = [owner.name, key.name]
        default:
            let position = add(2, "position", "Int", "position", "its number in the list")
            type.fields = [owner, position, link]
            type.compositeID = [owner.name, position.name]
        }
        return type
    }

    /// Creates the union of the types that the values of a property have; `nil` if all are null.
    private func union(
        _ index: Int, _ property: RealmProperty, _ names: inout TypeNames
    ) -> ObjectTypeDraft? {
        let found = (file.facts[table.key]?[index].mixedTypes ?? []).sorted()
        var cases: [ObjectFieldDraft] = []
        for type in found {
            let name: String
            var fieldType = ""
            switch type {
            case .bool: (name, fieldType) = ("bool", "Bool")
            case .data: (name, fieldType) = ("data", "Data")
            case .date: (name, fieldType) = ("date", "Date")
            case .decimal: (name, fieldType) = ("decimal", "Decimal")
            case .double: (name, fieldType) = ("double", "Double")
            case .float: (name, fieldType) = ("float", "Float")
            case .int: (name, fieldType) = ("int", "Int64")
            case .json: (name, fieldType) = ("json", "String")
            case .objectID: (name, fieldType) = ("objectID", "String")
            case .string: (name, fieldType) = ("string", "String")
            case .uuid: (name, fieldType) = ("uuid", "UUID")
            case .link(let key):
                guard let target = types[key] else { continue }
                (name, fieldType) = ("link\(target)", target)
            }
            cases.append(
                ObjectFieldDraft(
                    column: cases.count, name: name, type: fieldType,
                    report: name == "json" ? "lists and dictionaries, as JSON" : "found"))
        }
        guard !cases.isEmpty else { return nil }
        let origin = "\(table.tableName).\(property.name)"
        var type = ObjectTypeDraft(
            kind: .union, origin: origin,
            name: names.add(name + ImportedName.set(property.name), origin),
            report: "the types of the values of property \(SQLText.shown(property.name)) of class "
                + SQLText.shown(table.name))
        type.fields = cases
        return type
    }
}
