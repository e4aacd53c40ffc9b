/// What opening a set makes of a store's description: steps to take, or differences that forbid it.
///
/// A declared table is compared with the stored table of its name, or else of the newest earlier
/// name that is stored, whichever set created that. Three rules go beyond the comparison of tables:
///
/// - A table that another set lists too must be declared as it is stored. One set alone cannot
///   upgrade it, because the description of the other one would be wrong afterwards.
/// - A set that is not known takes over the sets that the store has not open and whose tables it
///   declares, all of them: it is such a set under another name.
/// - A table that the set used to declare, declares no longer, and no other set lists, is a
///   difference: its records would be lost.
package struct SchemaOpening {
    /// What the store held of the declared tables and of those that the set used to declare.
    package let stored: StoredSchema
    /// The steps, in the order in which they are taken.
    package private(set) var steps: [SchemaStep] = []
    /// Every difference in words; nothing is written if there is one.
    package private(set) var differences: [String] = []
    /// The description of the store after the steps.
    package private(set) var result: StoreDescription
    /// The tables whose records must be rewritten, because the program would read those of earlier schemas wrong, with
    /// how they are to be read meanwhile. Only in a store of documents.
    package private(set) var rewrites: [String: EarlierFields] = [:]
    /// Whether the store and its description need no change.
    package private(set) var isDone = false

    private let schema: StoreSchema
    private let target: StoredSchema
    private let before: StoreDescription
    private let form: SchemaComparison.Form
    /// The sets that this set takes over.
    private let predecessors: Set<String>

    /// Compares a set with what a store holds.
    ///
    /// - Parameters:
    ///   - schema: the set.
    ///   - description: the store's description; nil for a new store.
    ///   - form: how the store keeps records.
    ///   - recordFormat: the format of records in a store of documents.
    ///   - openSets: the names of the sets that the same store has open.
    package init(
        _ schema: StoreSchema, in description: StoreDescription?, form: SchemaComparison.Form,
        recordFormat: String? = nil, openSets: Set<String> = []
    ) {
        let before = description ?? StoreDescription()
        let target = StoredSchema(schema, form: form)
        self.schema = schema
        self.form = form
        self.before = before
        self.target = target
        let set = before.set(schema.name)
        let predecessors =
            set == nil ? Self.predecessors(of: schema, in: before, openSets: openSets) : []
        self.predecessors = predecessors
        let earlier = set ?? before.sets.first { predecessors.contains($0.name) }
        stored = StoredSchema(
            name: schema.name, history: earlier?.history ?? [],
            tables: Self.view(of: schema, in: before, predecessors))
        result = before
        // A set that only uses unmanaged tables has nothing stored here.
        if target.tables.isEmpty, form == .columns {
            isDone = true
            return
        }
        run(recordFormat)
    }

    private mutating func run(_ recordFormat: String?) {
        var tables = TableComparison(stored: stored, declared: schema, target: target, form: form)
        tables.run()
        differences = tables.differences
        steps = tables.steps.stablySorted()
        for (old, new) in tables.pairs { share(old, new) }
        checkFormats(of: tables.pairs.map(\.old.name), recordFormat)
        if differences.isEmpty {
            describe(tables, recordFormat)
            isDone = steps.isEmpty && rewrites.isEmpty && result == before
        } else if stored.history.contains(target.fingerprint),
            stored.fingerprint != target.fingerprint
        {
            differences.insert(SchemaComparison.newerProgram, at: 0)
        }
    }

    /// Whether a set of this name lists the table, and others do too.
    private func otherOwners(_ table: String) -> [String] {
        before.owners(ofTable: table, except: predecessors.union([schema.name]))
    }

    private mutating func share(_ old: StoredTable, _ new: StoredTable) {
        let others = otherOwners(old.name)
        let isAlike = old.isAlike(new) && (old.hasSameCases(as: new) || !old.namesCases)
        guard let other = others.first, !isAlike else { return }
        let words = steps.filter { $0.table == new.name }.map(\.words)
        steps.removeAll { $0.table == new.name }
        let details = words.isEmpty ? "" : ": \(words.joined(separator: ", "))"
        differences.append(
            "the table '\(old.name)' is shared with the set '\(other)', and one set alone cannot change it\(details)"
        )
    }

    /// Records in another format would lie beside those of a table, unseen.
    private mutating func checkFormats(of tables: [String], _ recordFormat: String?) {
        guard let recordFormat else { return }
        let formats = Set(tables.compactMap { before.table($0)?.recordFormat })
        for format in formats.sorted() where format != recordFormat {
            differences.append(
                "its records are stored as '\(format)', not as '\(recordFormat)'")
        }
    }

    private mutating func describe(_ tables: TableComparison, _ recordFormat: String?) {
        result.sets.removeAll { set in
            predecessors.contains(set.name) || String.isSameIdentifier(set.name, schema.name)
        }
        let fingerprint = target.fingerprint
        result.sets.append(
            DescribedSet(
                name: schema.name, tables: target.tables.map(\.name),
                history: stored.history.filter { $0 != fingerprint } + [fingerprint]))
        for table in target.tables {
            let old = tables.pairs.first { $0.new.name == table.name }?.old
            let described = old.flatMap { before.table($0.name) }
            var readings = described?.readings
            if form == .documents {
                readings =
                    described.flatMap { read(table, $0, tables.matches[table.name] ?? []) } ?? []
            }
            // Only the order of the fields may differ.
            if let described, described.table.isAlike(table),
                described.table.hasSameCases(as: table), described.readings == readings,
                described.recordFormat == recordFormat
            {
                continue
            }
            if let old {
                result.tables.removeAll { String.isSameIdentifier($0.table.name, old.name) }
            }
            result.tables.append(
                DescribedTable(
                    table: table, recordFormat: recordFormat, readings: readings))
        }
        result.sort()
    }

    /// How records are read from now on that an earlier schema wrote.
    private mutating func read(
        _ new: StoredTable, _ described: DescribedTable, _ matches: [StoredField?]
    ) -> [StoredReading]? {
        guard let table = schema.table(new.name) else { return nil }
        let readings = TableReadings(table, new, described, matches)
        guard readings.mustRewrite else { return readings.after }
        rewrites[new.name] = readings.fields
        return []
    }

    /// The sets that this one is under another name, as far as that can be known.
    private static func predecessors(
        of schema: StoreSchema, in description: StoreDescription, openSets: Set<String>
    ) -> Set<String> {
        var names: Set<String> = []
        for table in schema.tables {
            names.insert(table.name)
            names.formUnion(table.renamedFrom)
        }
        let sets = description.sets.filter { set in
            !openSets.contains(set.name) && set.isBeingReset != true && !set.tables.isEmpty
                && set.tables.allSatisfy(names.contains)
        }
        return Set(sets.map(\.name))
    }

    /// The stored tables that concern a set.
    private static func view(
        of schema: StoreSchema, in description: StoreDescription, _ predecessors: Set<String>
    ) -> [StoredTable] {
        var names = Set(
            schema.tables.compactMap { table in
                ([table.name] + table.renamedFrom.filter { schema.table($0) == nil })
                    .first { description.table($0) != nil }
            })
        let sets = predecessors.union([schema.name])
        for set in description.sets where sets.contains(set.name) {
            names.formUnion(
                set.tables.filter { description.owners(ofTable: $0, except: sets).isEmpty })
        }
        return description.tables.map(\.table).filter { names.contains($0.name) }
    }
}

extension StoredSchema {
    /// Whether the tables of the same names have the same enum cases.
    func hasSameCases(as other: StoredSchema) -> Bool {
        tables.allSatisfy { table in
            other.tables.first { $0.name == table.name }.map(table.hasSameCases) ?? false
        }
    }
}

extension StoredShape {
    /// Whether a case of an enum is named inside.
    fileprivate var namesCases: Bool {
        switch self {
        case .single: false
        case .composite(let members), .object(let members):
            members.contains { $0.cases != nil || $0.type.namesCases }
        case .list(let element, _), .map(let element, _): element.namesCases
        }
    }
}

extension StoredTable {
    /// Whether two descriptions of a table say the same; the order of fields and indexes does not
    /// matter. Cases that one of them does not name are taken for those of the other.
    func isAlike(_ other: StoredTable) -> Bool {
        StoredSchema.fingerprint(of: [self]) == StoredSchema.fingerprint(of: [other])
    }

    /// Whether a case of an enum is named; those of an earlier program's description are not.
    var namesCases: Bool { fields.contains { $0.cases != nil || $0.type.namesCases } }

    /// Whether the fields have the same enum cases.
    func hasSameCases(as other: StoredTable) -> Bool {
        fields.allSatisfy { field in
            guard let twin = other.field(field.name) else { return false }
            return field.cases == twin.cases && field.type == twin.type
        }
    }
}
