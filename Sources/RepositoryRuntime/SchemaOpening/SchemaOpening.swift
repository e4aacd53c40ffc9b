package import StoredSchema

/// Plans the opening of a set in a store: the steps to execute, or the differences that prevent it.
///
/// A set is the named schema of one generated set of repositories. A store can contain several.
///
/// Each declared table is compared with the stored table of the same name, or otherwise of the
/// newest earlier name that is stored, regardless of which set created it. Three rules apply beyond
/// the comparison of tables:
///
/// - A table that another set also lists must be declared as it is stored. One set alone cannot
///   upgrade it, because the description of the other set would then be wrong.
/// - An unknown set takes over all sets that are not open in the store and whose tables it
///   declares. They are assumed to be the same set under an earlier name.
/// - A table that the set declared before and no longer declares is a difference, unless another
///   set lists it. Its records would be lost.
///
/// For a set with released versions, the version of the data is determined first. The declared
/// schema is then compared with the stored tables as they are after the changes of all later
/// versions.
///
/// The initializer computes the complete plan and changes nothing in the store. The store executes
/// the steps and rewrites, and saves ``result``.
package struct SchemaOpening {
    /// The stored state of the declared tables and of those that the set declared before.
    package let stored: SchemaDescription
    /// The steps, in order of execution.
    package internal(set) var steps: [SchemaStep] = []
    /// All differences. If there are any, nothing is written.
    package internal(set) var differences: [SchemaDifference] = []
    /// The description of the store after the steps.
    package internal(set) var result: StoreDescription
    /// The tables whose records must be rewritten, because the program would read records of
    /// earlier schemas incorrectly, with instructions to read them. Only in a store of documents.
    package internal(set) var rewrites: [String: EarlierFields] = [:]
    /// Whether neither the store nor its description needs a change.
    package internal(set) var isDone = false
    /// The tables whose records are converted by the changes of versions, by their declared names.
    package internal(set) var migrations: [String: TableMigration] = [:]
    /// The tables that are dropped after their records got new ids, which references to them
    /// contain. By their stored names.
    package internal(set) var droppedMigrations: [String: TableMigration] = [:]
    /// The stored names of the tables that are dropped with their records.
    package internal(set) var removedTables: [String] = []
    /// The functions of versions that migrate several tables together, in order.
    package internal(set) var tableFunctions: [TablesMigration] = []
    /// The stored names of the tables that ``tableFunctions`` replace.
    package internal(set) var replacedTables: [String] = []
    /// The declared tables whose records must be verified, because a reference is new or refers to
    /// another table.
    package internal(set) var unverifiedTables: Set<String> = []
    /// The fields that no longer mark deleted records. The store must not contain such records.
    package internal(set) var forgottenDeletions: [ForgottenDeletion] = []
    /// Reasons why the data cannot be opened, other than ``differences``: clauses without a final
    /// period.
    package internal(set) var problems: [String] = []
    /// The stored tables as they are compared with the declared ones: after the changes of
    /// versions.
    package internal(set) var compared: SchemaDescription

    /// The stored tables, as they are in ``compared``, by the names of the declared tables that have
    /// their records.
    package internal(set) var matched: [String: MatchedTable] = [:]

    /// The set as declared.
    let schema: StoreSchema
    /// The description of the declared set.
    let target: DeclaredSchema
    /// The description of the store before the opening.
    let before: StoreDescription
    /// How the store stores records.
    let form: SchemaComparison.Form
    /// The names of the sets that this set takes over.
    private let predecessors: Set<String>
    /// The released versions of the set.
    let history: SchemaHistory?
    /// The entry of the set, or of the set that it takes over.
    let earlier: DescribedSet?
    /// The changes of versions that the data lacks.
    var migration: SchemaMigration?
    /// Whether a newer program has changed the data in a way that this program can work with. It
    /// must not change tables, indexes or the description then.
    package var isDataNewer = false
    /// Whether the data has a version that this program does not know, or an unreleased one after
    /// the last that it knows.
    var isVersionUnknown = false
    /// Whether a newer program has changed the data. This one must not remove it.
    package var isOfNewerProgram: Bool {
        isDataNewer || isVersionUnknown || differences.contains(.newerProgram)
    }

    /// Compares a set with the contents of a store.
    ///
    /// - Parameters:
    ///   - schema: the set.
    ///   - description: the description of the store; nil for a new store.
    ///   - form: how the store stores records.
    ///   - recordFormat: the format of the records in a store of documents.
    ///   - openSets: the names of the sets that are open in the same store.
    ///   - history: the released versions of the set; nil if there are none.
    package init(
        _ schema: StoreSchema, in description: StoreDescription?, form: SchemaComparison.Form,
        recordFormat: String? = nil, openSets: Set<String> = [], history: SchemaHistory? = nil
    ) {
        let before = description ?? StoreDescription()
        let target = DeclaredSchema.of(schema, form)
        self.schema = schema
        self.form = form
        self.before = before
        self.target = target
        let set = before.set(schema.name)
        let predecessors =
            set == nil ? Self.predecessors(of: schema, in: before, openSets: openSets) : []
        self.predecessors = predecessors
        let earlier = set ?? before.sets.first { predecessors.contains($0.name) }
        stored = SchemaDescription(
            name: schema.name, history: earlier?.history ?? [],
            tables: Self.view(of: schema, in: before, predecessors))
        compared = stored
        result = before
        self.history = history
        self.earlier = earlier
        // A set that contains only unmanaged tables stores nothing in the description.
        if target.tables.isEmpty, form.hasColumns, history == nil || stored.tables.isEmpty {
            isDone = true
            return
        }
        run(recordFormat)
    }

    /// Runs the comparison and fills in the results.
    private mutating func run(_ recordFormat: String?) {
        migrate()
        guard problems.isEmpty else { return }
        if isDataNewer {
            isDone = true
            return
        }
        var tables = TableComparison(stored: compared, declared: target, form: form)
        tables.run()
        matched = tables.pairs.reduce(into: [:]) { matched, pair in
            matched[pair.new.name] = MatchedTable(
                table: pair.old, fields: tables.matches[pair.new.name] ?? [])
        }
        differences = tables.differences
        steps = tables.steps
        if history != nil { carryOut(tables) }
        refuseMovedExternalData()
        steps = steps.stablySorted()
        for (old, new) in tables.pairs where !isProduced(old) { share(old, new) }
        checkFormats(
            of: tables.pairs.map { storedName($0.old) } + replacedTables, recordFormat)
        if differences.isEmpty, problems.isEmpty {
            describe(tables, recordFormat)
            guard problems.isEmpty else { return }
            isDone =
                steps.isEmpty && rewrites.isEmpty && migrations.isEmpty && removedTables.isEmpty
                && tableFunctions.isEmpty && result == before
        } else if history == nil, stored.history.contains(target.fingerprint),
            stored.fingerprint != target.fingerprint
        {
            differences.insert(.newerProgram, at: 0)
        }
    }

    /// Returns the names of the other sets that list a table.
    func otherOwners(_ table: String) -> [String] {
        before.owners(ofTable: table, except: predecessors.union([schema.name]))
    }

    /// Replaces the steps for a table by a difference if another set shares the table.
    private mutating func share(_ old: StoredTable, _ new: StoredTable) {
        let others = otherOwners(storedName(old))
        let changed = migration?.table(old.name)
        let stored = changed?.stored ?? old
        let isAlike =
            stored.isAlike(new) && (stored.hasSameDetails(as: new) || !stored.namesDetails)
            && changed?.changesValues != true
        guard let other = others.first, !isAlike else { return }
        let own = steps.filter { $0.table == new.name }
        steps.removeAll { $0.table == new.name }
        differences.append(.tableShared(table: storedName(old), set: other, steps: own))
    }

    /// Appends a difference if records are stored in another format. They would not be found in the
    /// new format.
    private mutating func checkFormats(of tables: [String], _ recordFormat: String?) {
        guard let recordFormat else { return }
        let formats = Set(tables.compactMap { before.table($0)?.recordFormat })
        for format in formats.sorted() where format != recordFormat {
            differences.append(.formatChanged(stored: format, declared: recordFormat))
        }
    }

    /// Updates the description of the store for the set and its tables.
    private mutating func describe(_ tables: TableComparison, _ recordFormat: String?) {
        result.sets.removeAll { set in
            predecessors.contains(set.name) || String.isSameIdentifier(set.name, schema.name)
        }
        let fingerprint = target.fingerprint
        var set = DescribedSet(
            name: schema.name, tables: target.sortedTables.map(\.name),
            history: stored.history.filter { $0 != fingerprint } + [fingerprint])
        if let history { set.record(history, target) } else { set.keepVersion(of: earlier) }
        if !mustMigrate { set.discardedAt = before.set(schema.name)?.discardedAt }
        result.sets.append(set)
        for name in removedTables + replacedTables {
            result.tables.removeAll { String.isSameIdentifier($0.table.name, name) }
        }
        // All stored names go first: one table may have the earlier name of another.
        let stored = tables.pairs.filter { !isProduced($0.old) }
        for (old, new) in stored where !String.isSameIdentifier(storedName(old), new.name) {
            let name = storedName(old)
            result.tables.removeAll { String.isSameIdentifier($0.table.name, name) }
        }
        for table in target.sortedTables {
            let old = stored.first { $0.new.name == table.name }?.old
            let described = old.flatMap { before.table(storedName($0)) }
            var (readings, removed) = (described?.readings, described?.removedNames)
            if form == .documents {
                (readings, removed) =
                    described.flatMap { read(table, $0, storedFields(of: table)) } ?? ([], nil)
            }
            // Keeps the stored description if only the order of fields differs.
            if let described, described.table.isAlike(table),
                described.table.hasSameDetails(as: table), described.readings == readings,
                described.removedNames == removed, described.recordFormat == recordFormat
            {
                continue
            }
            result.tables.removeAll { String.isSameIdentifier($0.table.name, table.name) }
            result.tables.append(
                DescribedTable(
                    table: table, recordFormat: recordFormat, readings: readings,
                    removedNames: removed))
        }
        result.sort()
    }

    /// Returns how records of earlier schemas are read from now on. Registers the table for
    /// rewriting if necessary; nothing is recorded then.
    ///
    /// - Parameters:
    ///   - new: the description of the declared table.
    ///   - described: the stored table.
    ///   - matches: the stored field for each declared field.
    /// - Returns: The readings to record in the description, empty if the records are rewritten,
    ///   and the names of removed fields that documents may contain.
    private mutating func read(
        _ new: StoredTable, _ described: DescribedTable, _ matches: [StoredField?]
    ) -> (readings: [StoredReading], removedNames: [String]?)? {
        guard let table = schema.table(new.name), migrations[new.name] == nil else { return nil }
        let changed = changes(ofStored: described.table.name)
        let readings = TableReadings(table, new, described, matches, after: changed)
        guard readings.mustRewrite else { return (readings.after, readings.removedNames) }
        if let changed, let migration {
            convert(changed, to: new, migration)
        } else {
            rewrites[new.name] = readings.fields
        }
        return ([], nil)
    }

    /// Returns the names of the sets that appear to be this set under an earlier name.
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

    /// Returns the stored tables that the set declares or has declared.
    ///
    /// A table that only other sets list is included if this set declares it. A table that this set
    /// has listed is included unless another set lists it too.
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
