internal import CoreDataFormat
internal import RepositoryGeneratorCore
internal import RepositorySchema

/// Builds the types that describe the objects of a store of Core Data.
struct CoreDataSchemaBuilder: DraftBuilder {
    let file: ScannedCoreData
    let records: [CoreDataRecords]
    var refusals: [SchemaPart: String] = [:]

    init(file: ScannedCoreData) {
        self.file = file
        records = CoreDataRecords.all(file.store)
    }

    func draft() -> ObjectDraft {
        var draft = ObjectDraft(database: "coredata")
        var names = TypeNames(refusals: refusals)
        var types: [String: String] = [:]
        var described: [CoreDataRecords] = []
        for record in records {
            let name = record.entity.name
            if let reason = refusals[.table(name)] {
                draft.leftOut.append(
                    Note(subject: "entity \(SQLText.shown(name))", text: reason))
                continue
            }
            let type = names.add(ImportedName.set(name), name)
            for covered in record.covered + [name] { types[covered] = type }
            described.append(record)
        }
        var shapes = CoreDataShapes(file: file, refusals: refusals)
        var joins: [ObjectTypeDraft] = []
        for record in described {
            var builder = CoreDataTypeBuilder(
                file: file, record: record, types: types, refusals: refusals, names: names,
                shapes: shapes)
            draft.types.append(builder.type())
            names = builder.names
            shapes = builder.shapes
            joins += builder.joins
        }
        addRelations(to: &draft, described, types)
        draft.types += joins + shapes.types
        for table in file.report.skippedTables.keys.sorted() {
            let count = file.report.skippedTables[table] ?? 0
            let what = table.hasPrefix("ANSCK") ? "CloudKit mirroring" : "of Core Data itself"
            draft.leftOut.append(
                Note(subject: "table \(table)", text: "\(what), \(Count.text(count, "row"))"))
        }
        draft.name = names.setName(of: file.source)
        return draft
    }

    /// Adds a relation for each relationship to many that a field or a table of links stores.
    private func addRelations(
        to draft: inout ObjectDraft, _ described: [CoreDataRecords], _ types: [String: String]
    ) {
        for record in described {
            guard let own = draft.types.firstIndex(where: { $0.origin == record.entity.name })
            else {
                continue
            }
            for (index, member) in record.members.enumerated() {
                let property = member.property
                guard property.isToMany, !property.isTransient,
                    let target = property.destination.flatMap({ types[$0] }),
                    let inverse = property.inverse,
                    let other = draft.types.first(where: { $0.name == target }),
                    let field = other.fields.first(where: {
                        $0.from?.split(separator: ".").last.map(String.init) == inverse
                            && $0.target == draft.types[own].name
                    })
                else { continue }
                let origin = "\(record.entity.name) \(index)"
                let position = other.fields.first {
                    $0.from == field.from.map { $0 + "#position" }
                }
                draft.types[own].addRelation(
                    ImportedName.field(member.name), origin, to: target, by: field.name,
                    sort: position?.name, refusals)
            }
        }
    }
}

/// The values and enums that composites of a store become, each shape once.
struct CoreDataShapes {
    let file: ScannedCoreData
    let refusals: [SchemaPart: String]
    /// The types in the order in which they were needed.
    private(set) var types: [ObjectTypeDraft] = []
    private var known: [String: String] = [:]

    init(file: ScannedCoreData, refusals: [SchemaPart: String]) {
        self.file = file
        self.refusals = refusals
    }

    /// Returns the value type of a structure; `nil` if the schema language cannot have it.
    mutating func value(
        _ property: ModelProperty, _ entities: [String], _ path: String, _ names: inout TypeNames
    ) -> String? {
        let shape = Self.shape(property)
        if let name = known[shape] { return name }
        let origin = "\(entities.first ?? "").\(path)"
        guard refusals[.table(origin)] == nil, !property.elements.isEmpty else { return nil }
        let name = names.add(ImportedName.set(property.name), origin)
        known[shape] = name
        var type = ObjectTypeDraft(
            kind: .value, origin: origin, name: name,
            report: "structure of \(SQLText.shown(origin))")
        for (index, element) in property.elements.enumerated() {
            let elementPath = "\(path).\(element.name)"
            var wanted = ImportedName.property(element.name)
            if refusals[.fieldName(origin, index)] != nil { wanted += "Value" }
            let taken = Set(type.fields.map(\.name))
            guard refusals[.column(origin, index)] == nil else { continue }
            let facts = file.facts(entities, elementPath)
            var notes: [Note] = []
            var typeName =
                element.kind == .composite
                ? value(element, entities, elementPath, &names) ?? "Data"
                : CoreDataTypeBuilder.typeName(element, facts, &notes)
            if element.isOptional || facts.nullCount > 0 || property.isOptional { typeName += "?" }
            var field = ObjectFieldDraft(
                column: index, name: ImportedName.unique(wanted) { taken.contains($0) },
                type: typeName, from: "\(name).\(element.name)",
                report: "element \(SQLText.shown(element.name)), \(element.type.name)")
            field.notes = notes
            type.fields.append(field)
        }
        types.append(type)
        return name
    }

    private static func shape(_ property: ModelProperty) -> String {
        property.elements.map { element in
            let inner = element.kind == .composite ? "{\(shape(element))}" : ""
            return "\(element.name):\(element.type.name)\(element.isOptional)\(inner)"
        }.joined(separator: ",") + "\(property.isOptional)"
    }

    /// Returns the enum of an enumeration; `nil` if it has no case that can be written.
    mutating func enumeration(
        _ property: String, _ origin: String, cases: [String], isOpen: Bool,
        _ names: inout TypeNames, prefix: String = ""
    ) -> String? {
        let shape = "enum \(prefix)\(property) \(isOpen) \(cases)"
        if let name = known[shape] { return name }
        guard refusals[.table(origin)] == nil, !cases.isEmpty else { return nil }
        let name = names.add(prefix + ImportedName.set(property), origin)
        known[shape] = name
        var type = ObjectTypeDraft(
            kind: .enumeration, origin: origin, name: name,
            report: "enumeration of \(SQLText.shown(origin))"
                + (isOpen ? ", with the values found" : ""))
        type.isOpen = isOpen
        for (index, value) in cases.enumerated() where refusals[.column(origin, index)] == nil {
            let taken = Set(type.fields.map { $0.name.lowercased() } + (isOpen ? ["other"] : []))
            let wanted = ImportedName.property(value)
            type.fields.append(
                ObjectFieldDraft(
                    column: index,
                    name: ImportedName.unique(wanted) { taken.contains($0.lowercased()) },
                    type: value, report: "case"))
        }
        types.append(type)
        return name
    }
}
