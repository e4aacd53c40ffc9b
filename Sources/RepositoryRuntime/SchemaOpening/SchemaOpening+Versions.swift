internal import StoredSchema

/// The version of the stored data, and the changes of versions that it lacks.
extension SchemaOpening {
    /// Determines the version of the data and applies the changes of later versions to the
    /// description.
    mutating func migrate() {
        guard let history, let earlier else { return }
        let changes: [(number: Int, changes: [DataChange])]
        do {
            switch try history.version(of: marks(of: earlier), declared: declaredMarks, form: form)
            {
            case .declared: changes = []
            case .released(let number): changes = history.changes(after: number)
            case .side(let name): return migrateSide(name, history)
            case .unreleased(let number): return takeUnreleased(after: number, history)
            }
        } catch {
            switch error {
            case .newer:
                isVersionUnknown = true
                return openNewer(error.description)
            case .unknownHash: isVersionUnknown = true
            case .older, .ambiguous: break
            }
            problems.append(error.description)
            return
        }
        use(SchemaMigration(changes, to: stored.tables))
    }

    /// Opens data of a newer version without changing anything, if this program can read and write
    /// it: if the newer program has only added what this one does not touch.
    ///
    /// - Parameter problem: the reason to report if it cannot.
    private mutating func openNewer(_ problem: String) {
        guard let misfits = misfits() else { return }
        isDataNewer = misfits.isEmpty
        guard !isDataNewer else { return }
        problems.append(problem)
        differences = misfits
    }

    /// Returns what prevents this program from writing to the data as it is; nil if the history
    /// cannot be read, which is a problem then.
    private mutating func misfits() -> [SchemaDifference]? {
        do {
            return try before.misfits(of: schema, form: form)
        } catch {
            problems.append("\(error)")
            return nil
        }
    }

    /// Compares with the tables after a migration from here on.
    private mutating func use(_ migration: SchemaMigration) {
        self.migration = migration
        compared = SchemaDescription(
            name: stored.name, history: stored.history, tables: migration.tables.map(\.changed))
        for (function, table) in migration.occupied {
            problems.append(
                "the function '\(function)' makes the table '\(table)', which is there already")
        }
        if let mix = migration.changes.flatMap(\.changes).idsAmongTables {
            problems.append(
                "the function '\(mix.function)' and the new ids of '\(mix.table)' cannot be carried out in one migration: a program between the two versions must open the data first"
            )
        }
    }

    /// Finds the fewest changes that bring the data of a side version to the declared schema. None
    /// of them may call a function, because functions are written for released versions.
    private mutating func migrateSide(_ name: String, _ history: SchemaHistory) {
        let numbers = [history.lastNumber] + history.versions.map { $0.number - 1 }.reversed()
        for number in numbers {
            let migration = SchemaMigration(
                history.changes(after: number), to: stored.tables, skippingDone: true)
            let calls = migration.changes.contains { $0.changes.contains { $0.function != nil } }
            if !calls, leftOver(migration).isEmpty { return use(migration) }
        }
        problems.append(
            "the data has the version '\(name)', which was not released, and no automatic or declared steps lead from it to the schema of this program"
        )
    }

    /// Uses data of an unreleased schema if comparing it resolves every difference.
    private mutating func takeUnreleased(after number: Int?, _ history: SchemaHistory) {
        let unchanged = SchemaMigration([], to: stored.tables)
        differences = leftOver(unchanged)
        if differences.isEmpty { return use(unchanged) }
        // A newer program may have begun the next version.
        if history.unreleased == nil, misfits()?.isEmpty == true {
            differences = []
            isDataNewer = true
            return
        }
        isVersionUnknown = history.unreleased == nil && number == history.lastNumber
        let numbers = history.versions.map(\.number)
        let nearest =
            number
            ?? numbers.reversed().min { left, right in
                distance(from: left, history) < distance(from: right, history)
            }
        problems.append(
            "an unreleased schema wrote the data"
                + (nearest.map { ", which is nearest to version \($0)" } ?? "")
                + ": no released version has its shape, and only automatic changes lead from it")
    }

    /// Returns the number of differences that remain if the data is taken as that of a version.
    private func distance(from number: Int, _ history: SchemaHistory) -> Int {
        leftOver(SchemaMigration(history.changes(after: number), to: stored.tables)).count
    }

    /// Returns the differences that remain after a migration.
    private func leftOver(_ migration: SchemaMigration) -> [SchemaDifference] {
        var tables = TableComparison(
            stored: SchemaDescription(
                name: stored.name, history: [], tables: migration.tables.map(\.changed)),
            declared: target, form: form)
        tables.run()
        return tables.differences.filter { !isCarriedOut($0) }
    }

    /// What identifies the version of the stored data.
    func marks(of set: DescribedSet) -> DataVersionMarks {
        DataVersionMarks(
            number: set.version, hash: set.versionHash, isUnreleased: set.isUnreleased == true,
            fingerprint: set.history.last ?? "", cases: set.cases ?? storedCases)
    }

    /// The digest of the stored cases; nil if the stored description may lack them.
    private var storedCases: String? {
        let isComplete = target.names.count == target.tables.count
        guard isComplete, stored.tables.contains(where: \.namesCases) else { return nil }
        return SchemaDescription.casesDigest(of: stored.tables)
    }

    /// What identifies data of the declared schema.
    var declaredMarks: DataVersionMarks {
        DataVersionMarks(fingerprint: target.fingerprint, cases: target.casesDigest)
    }
}

extension DescribedSet {
    /// Records the version of the data after it was opened with a declared schema.
    mutating func record(_ history: SchemaHistory, _ declared: DeclaredSchema) {
        guard let last = history.versions.last else { return }
        version = last.number
        versionHash = last.hash
        isUnreleased = history.unreleased == nil ? nil : true
        cases = declared.casesDigest
        valuesChangedIn =
            history.changes(after: 0).last { version in
                version.changes.contains { !$0.keepsValues }
            }?.number
    }
}

extension DescribedSet {
    /// Keeps the recorded version of the data, which a program without released versions has
    /// opened.
    mutating func keepVersion(of earlier: DescribedSet?) {
        guard let earlier, let number = earlier.version else { return }
        version = number
        versionHash = earlier.versionHash
        let isChanged = earlier.history.last != history.last || earlier.isUnreleased == true
        isUnreleased = isChanged ? true : nil
    }
}

extension DataChange {
    /// Whether all stored values stay as they are: names change, or fields are added. The
    /// comparison of the tables finds these changes.
    fileprivate var keepsValues: Bool {
        switch self {
        case .rename, .renameTable: true
        case .add(let path, _, _, _): path.steps.count == 1
        default: false
        }
    }
}
