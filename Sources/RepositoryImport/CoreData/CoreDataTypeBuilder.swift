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
    var joins: [ObjectTypeDraft] = []
    var taken: Set<String> = []

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

    var origin: String { record.entity.name }
    var typeName: String { types[origin] ?? origin }

    /// Builds the entity.
    mutating func type() -> ObjectTypeDraft {
        let count = record.covered.reduce(0) { $0 + (file.report.counts[$1] ?? 0) }
        let children = record.covered.filter { $0 != origin }.map { SQLText.shown($0) }
        var type = ObjectTypeDraft(
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

    private mutating func addID(_ key: Int?, to type: inout ObjectTypeDraft) {
        guard let key else {
            let hasID = record.members.contains { $0.name.lowercased() == "id" }
            let name = hasID ? "objectID" : "id"
            taken.insert(name.lowercased())
            type.fields.append(
                ObjectFieldDraft(
                    column: -1, name: name, type: "UUID", options: [("default", "generated")],
                    from: "\(origin)#key",
                    report: "UUID of the object in the namespace of the store"))
            return
        }
        let member = record.members[key]
        let isConstraint = record.entity.unique.contains([member.property.name])
        var field = attribute(key, member)
        field = ObjectFieldDraft(
            column: key, name: field.name, type: field.type.replacing("?", with: ""), options: [],
            from: field.from,
            report: "\(field.report), filled and unique in all objects"
                + (isConstraint ? "" : "; no constraint says so"))
        type.fields.append(field)
    }

    /// Adds the entity of an object of a tree.
    private mutating func addKind(to type: inout ObjectTypeDraft) {
        let typeName = shapes.enumeration(
            "kind", "\(origin)#entity", cases: record.covered, isOpen: false, &names,
            prefix: self.typeName)
        type.fields.append(
            ObjectFieldDraft(
                column: -2, name: uniqueName("kind"), type: typeName ?? "String",
                options: [("index", "true")], from: "\(origin)#entity",
                report: "the entity of the object"))
    }
}
