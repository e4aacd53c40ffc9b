internal import CoreDataFormat
internal import Foundation
internal import RepositoryGeneratorCore
internal import RepositorySchema

/// Builds the entity of the schemas for the objects of an entity or of a tree of entities, and those
/// of its relationships between many and many.
struct CoreDataTypeBuilder {
    let file: ScannedCoreData
    let record: CoreDataRecords
    /// The names of the types by the names of the entities.
    let types: [String: String]
    let refusals: [SchemaPart: String]
    var names: TypeNames
    var shapes: CoreDataShapes
    private(set) var joins: [RealmTypeDraft] = []
    private var taken: Set<String> = []

    init(
        file: ScannedCoreData, record: CoreDataRecords, types: [String: String],
        refusals: [SchemaPart: String], names: TypeNames, shapes: CoreDataShapes
    ) {
        self.file = file
        self.record = record
        self.types = types
        self.refusals = refusals
        self.names = names
        self.shapes = shapes
    }

    private var origin: String { record.entity.name }
    private var typeName: String { types[origin] ?? origin }

    /// Builds the entity.
    mutating func type() -> RealmTypeDraft {
        let count = record.covered.reduce(0) { $0 + (file.report.counts[$1] ?? 0) }
        let children = record.covered.filter { $0 != origin }.map { SQLText.shown($0) }
        var type = RealmTypeDraft(
            kind: .entity, origin: origin, name: typeName,
            report: "entity \(SQLText.shown(origin)), \(Count.text(count, "object"))"
                + (children.isEmpty ? "" : ", with those of \(children.joined(separator: ", "))"))
        type.from = origin
        let key = idMember(count)
        addID(key, to: &type)
        if record.isTree { addKind(to: &type) }
        for (index, member) in record.members.enumerated() where index != key {
            let subject = "property \(SQLText.shown(member.name))"
            if let reason = refusals[.column(origin, index)] {
                type.notes.append(Note(subject: subject, text: reason))
            } else if let reason = Self.reasonToLeaveOut(member.property) {
                type.notes.append(Note(subject: subject, text: reason))
            } else if member.property.kind == .relationship {
                addRelationship(index, member, subject, to: &type)
            } else {
                type.fields.append(attribute(index, member))
            }
        }
        addOwners(to: &type)
        addIndexes(key, to: &type)
        return type
    }

    private static func reasonToLeaveOut(_ property: ModelProperty) -> String? {
        switch property.kind {
        case .fetched: return "is a query (fetched property)"
        case .expression: return "is an expression"
        case .derived: return "is computed: \(property.derivation ?? "?")"
        case .attribute, .composite, .relationship: break
        }
        if property.isTransient { return "is not stored (transient)" }
        return property.kind != .relationship && !property.isStoredAttribute
            ? "is not stored" : nil
    }

    // MARK: - Ids

    /// Returns the position of the attribute that can be the id: a UUID, or a text that is called
    /// one, which is filled and unique in all objects.
    private func idMember(_ count: Int) -> Int? {
        guard count > 0 || !record.entity.unique.isEmpty else { return nil }
        let candidates = record.members.indices.filter { index in
            let member = record.members[index]
            let property = member.property
            guard property.kind == .attribute, property.isStoredAttribute, !member.isPartial,
                refusals[.column(origin, index)] == nil
            else { return false }
            let isConstraint = record.entity.unique.contains([property.name])
            let isNamedID = ["id", "uuid", "identifier"].contains(property.name.lowercased())
            let name = property.name.lowercased()
            switch property.type {
            case .uuid: guard isConstraint || count > 0 else { return false }
            case .string, .int16, .int32, .int64:
                guard isNamedID && count > 0 || isConstraint && name.hasSuffix("id") else {
                    return false
                }
                if property.type != .string, !isConstraint { return false }
            default: return false
            }
            let facts = file.facts(record.covered, property.name)
            return facts.nullCount == 0
                && file.isUnique(origin, [property.name], withChildren: record.isTree)
        }
        func rank(_ index: Int) -> Int {
            let property = record.members[index].property
            return (record.entity.unique.contains([property.name]) ? 0 : 2)
                + (property.type == .uuid ? 0 : 1)
                + (property.name.lowercased() == "id" ? 0 : 4)
        }
        // Several UUIDs without a constraint: only one that is called an id.
        let found = candidates.min { rank($0) < rank($1) }
        guard let found, candidates.count > 1 else { return found }
        let name = record.members[found].property.name
        let isClear =
            record.entity.unique.contains([name])
            || ["id", "uuid", "identifier"].contains(name.lowercased())
        return isClear ? found : nil
    }

    private mutating func addID(_ key: Int?, to type: inout RealmTypeDraft) {
        guard let key else {
            let hasID = record.members.contains { $0.name.lowercased() == "id" }
            let name = hasID ? "objectID" : "id"
            taken.insert(name.lowercased())
            type.fields.append(
                RealmFieldDraft(
                    column: -1, name: name, type: "UUID", options: [("default", "generated")],
                    from: "\(origin)#key",
                    report: "UUID of the object in the namespace of the store"))
            return
        }
        let member = record.members[key]
        let isConstraint = record.entity.unique.contains([member.property.name])
        var field = attribute(key, member)
        field = RealmFieldDraft(
            column: key, name: field.name, type: field.type.replacing("?", with: ""), options: [],
            from: field.from,
            report: "\(field.report), filled and unique in all objects"
                + (isConstraint ? "" : "; no constraint says so"))
        type.fields.append(field)
    }

    /// Adds the entity of an object of a tree.
    private mutating func addKind(to type: inout RealmTypeDraft) {
        let typeName = shapes.enumeration(
            "kind", "\(origin)#entity", cases: record.covered, isOpen: false, &names,
            prefix: self.typeName)
        type.fields.append(
            RealmFieldDraft(
                column: -2, name: uniqueName("kind"), type: typeName ?? "String",
                options: [("index", "true")], from: "\(origin)#entity",
                report: "the entity of the object"))
    }

    // MARK: - Attributes

    private mutating func uniqueName(_ wanted: String) -> String {
        let name = ImportedName.unique(wanted) { taken.contains($0.lowercased()) }
        taken.insert(name.lowercased())
        return name
    }

    /// The name of a field for that of a property.
    static func fieldName(_ property: String) -> String {
        let isUsable =
            Naming.isIdentifier(property)
            && property.unicodeScalars.first?.properties.isUppercase == false
        return isUsable ? property : ImportedName.field(property)
    }

    private mutating func name(_ index: Int, _ wanted: String) -> String {
        uniqueName(
            refusals[.fieldName(origin, index)] == nil
                ? Self.fieldName(wanted) : Self.fieldName(wanted) + "Value")
    }

    private mutating func attribute(
        _ index: Int, _ member: CoreDataRecords.Member
    ) -> RealmFieldDraft {
        let property = member.property
        let facts = file.facts(record.covered, property.name)
        var notes: [Note] = []
        var typeName: String?
        if property.kind == .composite {
            typeName = composite(property, facts, &notes)
        }
        var name = typeName ?? Self.typeName(property, facts, &notes)
        let isOptional = property.isOptional || facts.nullCount > 0 || member.isPartial
        if isOptional { name += "?" }
        var field = RealmFieldDraft(
            column: index, name: self.name(index, member.name), type: name,
            from: "\(origin).\(member.path)",
            report: "attribute \(SQLText.shown(property.name)), \(property.type.name)"
                + (property.isOptional ? ", optional" : ""))
        field.notes = notes
        if facts.nullCount > 0, !property.isOptional, !member.isPartial {
            field.notes.append(
                Note(subject: "not optional in the model", text: "null in \(facts.nullCount)"))
        }
        if property.isExternal, property.type == .data {
            field.options.append(("external", "true"))
            if facts.missingFileCount > 0 {
                field.notes.append(
                    Note(subject: "external data", text: "\(facts.missingFileCount) files missing"))
            }
        } else {
            addRules(property, facts, to: &field)
            if let text = Self.defaultText(property),
                refusals[.option(origin, index, "default")] == nil
            {
                field.options.append(("default", text))
            }
        }
        return field
    }

    private mutating func composite(
        _ property: ModelProperty, _ facts: ScannedCoreData.Facts, _ notes: inout [Note]
    ) -> String? {
        let path = "\(origin).\(property.name)"
        if let cases = property.caseNames {
            return shapes.enumeration(
                property.name, path, cases: cases, isOpen: false, &names, prefix: typeName)
                ?? "String"
        }
        guard property.hasRawValues else {
            return shapes.value(property, record.covered, property.name, &names)
        }
        guard property.elements[0].type == .string else {
            notes.append(Note(subject: "enumeration", text: "with raw values that are no strings"))
            return Self.typeName(property.elements[0], facts, &notes)
        }
        guard let few = facts.few, !few.isEmpty else { return "String" }
        return shapes.enumeration(
            property.name, path, cases: few.sorted(), isOpen: true, &names, prefix: typeName)
            ?? "String"
    }

    /// The type of an attribute in the schema language, without the mark of optional ones.
    static func typeName(
        _ property: ModelProperty, _ facts: ScannedCoreData.Facts, _ notes: inout [Note]
    ) -> String {
        switch property.type {
        case .int16: return "Int16"
        case .int32: return "Int32"
        case .int64: return "Int64"
        case .decimal:
            notes.append(
                Note(
                    subject: "decimal",
                    text: "stored as a binary number; up to \(facts.scale) digits behind the point")
            )
            return "Decimal"
        case .double: return "Double"
        case .float: return "Float"
        case .bool: return "Bool"
        case .date: return "Date"
        case .uuid: return "UUID"
        case .uri: return facts.areURLs ? "URL" : "String"
        case .data: return "Data"
        case .transformable:
            switch facts.plainType {
            case .list(let name?): return "[\(name)]"
            case .map(let name?): return "[String: \(name)]"
            default: break
            }
            if facts.count == 0, property.valueClass == "Array<String>" { return "[String]" }
            let classes = facts.classes.sorted().joined(separator: ", ")
            notes.append(
                Note(
                    subject: "transformable",
                    text: classes.isEmpty
                        ? "the bytes as they are"
                        : "the bytes as they are, an archive of \(classes)"))
            return "Data"
        case .string, .undefined, .objectID, .composite: return "String"
        }
    }

    private static func defaultText(_ property: ModelProperty) -> String? {
        switch (property.type, property.defaultValue) {
        case (.bool, .bool(let value)): return value ? "true" : "false"
        case (.int16, .integer(let value)), (.int32, .integer(let value)),
            (.int64, .integer(let value)):
            return String(value)
        case (.double, .double(let value)), (.float, .double(let value)):
            return value.isFinite ? "\(value)" : nil
        case (.double, .integer(let value)), (.float, .integer(let value)): return "\(value).0"
        case (.string, .string(let text)): return YAMLText.quoted(text)
        default: return nil
        }
    }

    /// Adds the validation rules of the model, unless an object violates them.
    private func addRules(
        _ property: ModelProperty, _ facts: ScannedCoreData.Facts, to field: inout RealmFieldDraft
    ) {
        for rule in property.rules {
            let isLength = rule.comparison?.left == "length" && property.type == .string
            let isNumber =
                rule.comparison?.left == "SELF"
                && [.int16, .int32, .int64, .double, .float, .decimal].contains(property.type)
            guard let comparison = rule.comparison, isLength || isNumber,
                case .integer(let limit) = comparison.constant,
                ["<=", ">="].contains(comparison.operation)
            else {
                field.notes.append(Note(subject: "rule", text: rule.text))
                continue
            }
            let isMinimum = comparison.operation == ">="
            let isKept = facts.range.map {
                isMinimum ? $0.lowerBound >= Double(limit) : $0.upperBound <= Double(limit)
            }
            guard isKept ?? true else {
                field.notes.append(Note(subject: "rule \(rule.text)", text: "objects violate it"))
                continue
            }
            let key =
                isLength
                ? (isMinimum ? "minLength" : "maxLength") : (isMinimum ? "minimum" : "maximum")
            guard refusals[.option(origin, field.column, key)] == nil else { continue }
            field.options.append((key, String(limit)))
        }
    }

    // MARK: - Relationships

    private mutating func addRelationship(
        _ index: Int, _ member: CoreDataRecords.Member, _ subject: String,
        to type: inout RealmTypeDraft
    ) {
        let property = member.property
        guard let destination = property.destination, let target = types[destination] else {
            type.notes.append(
                Note(subject: subject, text: "refers to an entity that is not described"))
            return
        }
        let inverse = property.inverse.flatMap {
            file.store.model.entities[destination]?.properties[$0]
        }
        guard property.isToOne else {
            if let inverse, inverse.isToMany {
                addJoin(index, member, inverse, destination, target, to: &type)
            }
            return
        }
        let facts = file.facts(record.covered, property.name)
        if let inverse, inverse.isToOne {
            guard isStoredHere(member, inverse, destination) else {
                type.notes.append(
                    Note(
                        subject: subject,
                        text: "the other side, \(destination).\(inverse.name), is taken"))
                return
            }
        }
        let isOptional =
            property.isOptional || facts.nullCount > 0 || member.isPartial
        var field = RealmFieldDraft(
            column: index, name: name(index, member.name), type: target + (isOptional ? "?" : ""),
            from: "\(origin).\(member.path)",
            report:
                "relationship \(SQLText.shown(property.name)) to \(SQLText.shown(destination)), "
                + "\(facts.count) of \(facts.count + facts.nullCount)")
        field.target = target
        if facts.danglingCount > 0 {
            field.notes.append(
                Note(
                    subject: "dangling", text: "\(facts.danglingCount) to objects that do not exist"
                ))
        }
        if refusals[.rule(origin, index)] == nil {
            field.options.append(("onDelete", Self.onDelete(inverse, isOptional)))
            if let inverse, inverse.isToOne,
                file.isUnique(
                    record.covered.first ?? origin, [property.name], withChildren: record.isTree)
            {
                field.options.append(("unique", "true"))
            }
        }
        // Core Data has an index of each relationship; an order has one of its own.
        if let inverse, inverse.isToMany, !inverse.isOrdered,
            refusals[.option(origin, index, "index")] == nil
        {
            field.options.append(("index", "true"))
        }
        type.fields.append(field)
        if inverse?.isOrdered == true { addPosition(index, field, to: &type) }
    }

    /// Adds the order of an object among those of its owner.
    private mutating func addPosition(
        _ index: Int, _ owner: RealmFieldDraft, to type: inout RealmTypeDraft
    ) {
        let wanted = taken.contains("position") ? owner.name + "Position" : "position"
        let position = RealmFieldDraft(
            column: 1_000 + index, name: uniqueName(wanted),
            type: owner.type.hasSuffix("?") ? "Int?" : "Int",
            from: owner.from.map { $0 + "#position" }, report: "its number among those of the owner"
        )
        type.fields.append(position)
        type.indexes.append([owner.name, position.name])
    }

    /// The rule that the owner declares, at the side that refers to it.
    private static func onDelete(_ inverse: ModelProperty?, _ isOptional: Bool) -> String {
        switch inverse?.deleteRule ?? .nullify {
        case .cascade: "cascade"
        case .deny: "restrict"
        case .noAction: "none"
        case .nullify: isOptional ? "setNull" : "restrict"
        }
    }

    /// Which side of a relationship between one and one is taken: the one that is not optional, has
    /// more values, or is deleted with the other.
    private func isStoredHere(
        _ member: CoreDataRecords.Member, _ inverse: ModelProperty, _ destination: String
    ) -> Bool {
        let model = file.store.model
        let property = member.property
        let owner = model.declaring(member.entity, property.name)
        let other = model.declaring(destination, inverse.name)
        func count(_ entity: String, _ name: String) -> Int {
            file.facts(model.tree(entity).map(\.name), name).count
        }
        let own = [
            property.isOptional ? 0 : 1, count(owner, property.name),
            inverse.deleteRule == .cascade ? 1 : 0,
        ]
        let far = [
            inverse.isOptional ? 0 : 1, count(other, inverse.name),
            property.deleteRule == .cascade ? 1 : 0,
        ]
        if own != far { return far.lexicographicallyPrecedes(own) }
        return "\(owner).\(property.name)" <= "\(other).\(inverse.name)"
    }

    /// Adds references to the owners of relationships to many without an inverse.
    private mutating func addOwners(to type: inout RealmTypeDraft) {
        var column = 2_000
        for entity in file.store.entities {
            for property in entity.sortedProperties
            where property.isOwn && property.isToMany && property.inverse == nil
                && !property.isTransient
            {
                defer { column += 2 }
                guard let destination = property.destination,
                    destination == origin || record.covered.contains(destination),
                    let target = types[entity.name], refusals[.column(origin, column)] == nil
                else { continue }
                let from = "\(origin).\(entity.name).\(property.name)#owner"
                var field = RealmFieldDraft(
                    column: column, name: name(column, Naming.lowerCamelCase(target)),
                    type: target + "?", from: from,
                    report:
                        "the object with it in \(SQLText.shown("\(entity.name).\(property.name)"))")
                field.target = target
                if refusals[.rule(origin, column)] == nil {
                    field.options.append(
                        ("onDelete", property.deleteRule == .cascade ? "cascade" : "setNull"))
                }
                type.fields.append(field)
                if property.isOrdered {
                    var owner = field
                    owner.from = "\(origin).\(entity.name).\(property.name)"
                    addPosition(column, owner, to: &type)
                }
            }
        }
    }

    /// Creates the entity of the links of a relationship between many and many, once for both sides.
    private mutating func addJoin(
        _ index: Int, _ member: CoreDataRecords.Member, _ inverse: ModelProperty,
        _ destination: String, _ target: String, to type: inout RealmTypeDraft
    ) {
        let property = member.property
        let model = file.store.model
        let owner = model.declaring(member.entity, property.name)
        let other = model.declaring(destination, inverse.name)
        let isSelf = owner == other && property.name == inverse.name
        if !isSelf {
            if inverse.isOrdered, !property.isOrdered { return }
            let isFirst = "\(owner).\(property.name)" < "\(other).\(inverse.name)"
            if inverse.isOrdered == property.isOrdered, !isFirst { return }
        }
        let source = "\(origin).\(member.path)"
        let element = ImportedName.entity(property.name)
        guard refusals[.table(source)] == nil else { return }
        var join = RealmTypeDraft(
            kind: .entity, origin: source, name: names.add(typeName + element, source),
            report: "relationship \(SQLText.shown("\(owner).\(property.name)")) ↔ "
                + SQLText.shown("\(other).\(inverse.name)")
                + (property.isOrdered ? ", ordered" : ""))
        join.from = source
        var ownerName =
            target == typeName && !isSelf
            ? Naming.lowerCamelCase(ImportedName.entity(inverse.name))
            : Naming.lowerCamelCase(typeName)
        let elementName = Naming.lowerCamelCase(element)
        if ownerName == elementName { ownerName += "Owner" }
        join.fields = [
            RealmFieldDraft(
                column: 0, name: ownerName, type: typeName, options: [("onDelete", "cascade")],
                from: "\(source)#owner", report: "the object with the relationship",
                target: typeName),
            RealmFieldDraft(
                column: 1, name: elementName, type: target, options: [("onDelete", "cascade")],
                from: "\(source)#target", report: "the object that it refers to", target: target),
        ]
        join.compositeID = [ownerName, elementName]
        if property.isOrdered {
            join.fields.append(
                RealmFieldDraft(
                    column: 2, name: "position", type: "Int", from: "\(source)#position",
                    report: "its number"))
            join.indexes.append([ownerName, "position"])
            if inverse.isOrdered, !isSelf {
                join.notes.append(
                    Note(
                        subject: "order of \(other).\(inverse.name)",
                        text: "is not described: one order of the two is"))
            }
        }
        joins.append(join)
        type.notes.append(
            Note(subject: "property \(SQLText.shown(member.name))", text: "→ \(join.name)"))
        let origin = "\(source) links"
        if refusals[.relation(self.origin, origin)] == nil {
            type.relations.append(
                RelationDraft(
                    origin: origin, name: uniqueName(Self.fieldName(member.name)),
                    target: join.name, by: ownerName, through: nil,
                    sort: property.isOrdered ? "position" : nil))
        }
    }

    // MARK: - Indexes

    /// Adds the constraints and indexes of the model, unless objects violate them.
    private func addIndexes(_ key: Int?, to type: inout RealmTypeDraft) {
        var fields: [String: Int] = [:]
        for (position, field) in type.fields.enumerated() {
            guard field.column >= 0, field.column < record.members.count,
                !field.type.hasPrefix("["), !field.options.contains(where: { $0.key == "external" })
            else { continue }
            fields[record.members[field.column].property.name] = position
        }
        for constraint in record.entity.unique {
            let positions = constraint.compactMap { fields[$0] }
            guard positions.count == constraint.count, positions != [0] || key == nil else {
                continue
            }
            let subject = "constraint \(constraint.joined(separator: ", "))"
            guard file.isUnique(origin, constraint, withChildren: record.isTree) else {
                type.notes.append(Note(subject: subject, text: "objects violate it"))
                continue
            }
            if positions.count == 1 {
                add("unique", at: positions[0], to: &type)
            } else {
                type.uniqueIndexes.append(positions.map { type.fields[$0].name })
            }
        }
        for index in record.entity.indexes where index.condition == nil {
            let positions = index.fields.compactMap { fields[$0.name] }
            guard positions.count == index.fields.count, !positions.isEmpty else { continue }
            if positions.count == 1 {
                guard positions != [0] else { continue }
                add("index", at: positions[0], to: &type)
            } else {
                let names = zip(positions, index.fields).map {
                    ($1.isDescending ? "-" : "") + type.fields[$0].name
                }
                if !type.indexes.contains(names) { type.indexes.append(names) }
            }
        }
    }

    private func add(_ key: String, at position: Int, to type: inout RealmTypeDraft) {
        let field = type.fields[position]
        guard !field.options.contains(where: { ["unique", "index"].contains($0.key) }),
            refusals[.option(origin, field.column, key)] == nil
        else { return }
        type.fields[position].options.append((key, "true"))
    }
}
