internal import StoredSchema

/// The plan of a migration, for the program.
extension SchemaOpening {
    /// Returns the plan, without the tables that are rewritten and their size, which only the store
    /// knows.
    ///
    /// - Parameter store: the kind of store.
    package func plan(of store: String) -> MigrationPlan {
        var plan = MigrationPlan(store: store, from: dataVersion, to: programVersion)
        for version in migration?.changes ?? [] {
            plan.steps += version.changes.compactMap { $0.planned(version.number) }
        }
        plan.steps += forgottenDeletions.map { forgotten in
            MigrationPlan.Step(
                code: SchemaChangeCode.softDeleteRemoved.rawValue, table: forgotten.table,
                field: forgotten.field, text: forgotten.words)
        }
        plan.steps += steps.map(\.planned)
        plan.problems = messages
        plan.isNeeded = !isDone
        return plan
    }

    /// The version of the stored data.
    private var dataVersion: MigrationPlan.Version {
        guard let earlier else { return .none }
        guard let history else {
            guard let number = earlier.version else { return .unreleased(after: nil) }
            return earlier.isUnreleased == true ? .unreleased(after: number) : .released(number)
        }
        do {
            switch try history.version(
                of: marks(of: earlier), declared: declaredMarks, form: form)
            {
            case .released(let number): return .released(number)
            case .side(let name): return .side(name)
            case .declared: return programVersion
            case .unreleased(let number): return .unreleased(after: number)
            }
        } catch {
            switch error {
            case .newer(let number, _), .unknownHash(let number), .older(let number, _):
                return .released(number)
            case .ambiguous: return .unknown
            }
        }
    }

    /// The version of the program's schema.
    private var programVersion: MigrationPlan.Version {
        guard let history, let last = history.versions.last?.number else {
            return .unreleased(after: nil)
        }
        return history.unreleased == nil ? .released(last) : .unreleased(after: last)
    }

    /// Returns what `opening: .refuse` refuses, as clauses without a final period: changes that
    /// read or rewrite stored records, or rename or remove tables or columns.
    ///
    /// - Parameter rewritten: the declared names of the tables that the store rewrites.
    package func refusedChanges(rewriting rewritten: Set<String>) -> [String] {
        let new = Set(
            steps.compactMap { step in if case .createTable(let name) = step { name } else { nil } }
        )
        var refused = removedTables.map { "the table '\($0)' is removed" }
        refused += rewritten.subtracting(new).sorted().map {
            "the records of '\($0)' are rewritten"
        }
        let produced = producedTables
        refused += produced.sorted().map { "a function writes the records of '\($0)'" }
        refused += replacedTables.filter { !produced.contains($0) }.map {
            "a function replaces the table '\($0)'"
        }
        refused += forgottenDeletions.map { $0.words }
        for step in steps where !new.contains(step.table) {
            switch step {
            case .renameTable: refused.append(step.words)
            case .renameField, .renameColumn, .createIndex, .changeField(_, _, .folding):
                refused.append("'\(step.table)': \(step.words)")
            case .createTable, .addField, .changeField, .changeChecks, .startSoftDelete, .dropIndex:
                break
            }
        }
        return refused
    }

    /// Returns a table of the program's schema.
    package func declaredTable(_ name: String) -> EntityTable? { schema.table(name) }

    /// Throws if the program opened the store with `opening: .refuse` and the data needs a change
    /// that this mode refuses.
    ///
    /// - Parameters:
    ///   - refused: what ``refusedChanges(rewriting:)`` returned.
    ///   - store: the kind of store.
    /// - Throws: `schemaMismatch`.
    package func requireAllowed(_ refused: [String], in store: String) throws {
        guard schema.opening == .refuse, !refused.isEmpty else { return }
        let list = refused.map { "\n- \($0)" }.joined()
        throw CRUDRepositoryError(
            .schemaMismatch,
            "The data in \(store) must be migrated, and this program opened it with 'opening: .refuse'; nothing was changed. Open it first with the program that migrates it, such as the app that contains this extension:\(list)"
        )
    }
}

extension SchemaStep {
    /// The step for the program.
    fileprivate var planned: MigrationPlan.Step {
        let words =
            switch self {
            case .renameTable, .createTable: self.words
            default: "'\(table)': \(self.words)"
            }
        return MigrationPlan.Step(code: code.rawValue, table: table, field: field, text: words)
    }
}

extension DataChange {
    /// The change of a version for the program; nil if a step of the comparison repeats it.
    fileprivate func planned(_ version: Int) -> MigrationPlan.Step? {
        let code: SchemaChangeCode
        let text: String
        switch self {
        case .renameTable: return nil
        case .removeTable(let name):
            return MigrationPlan.Step(
                code: SchemaChangeCode.tableRemoved.rawValue, table: name, version: version,
                text: "'\(name)' is removed with its records")
        case .records(let name, _, let function):
            return MigrationPlan.Step(
                code: SchemaChangeCode.tableMigrated.rawValue, table: name, version: version,
                text: "the function '\(function)' converts the records of '\(name)'")
        case .tables(let names, _, let function):
            return MigrationPlan.Step(
                code: SchemaChangeCode.tableMigrated.rawValue, table: names.first ?? "",
                version: version,
                text:
                    "the function '\(function)' migrates \(names.map { "'\($0)'" }.joined(separator: ", "))"
            )
        case .rename(let path, let name):
            (code, text) = (.fieldRenamed, "\(path) is renamed to '\(name)'")
        case .remove(let path): (code, text) = (.fieldRemoved, "\(path) is removed")
        case .add(let path, _, _, _): (code, text) = (.fieldAdded, "\(path) is new")
        case .addByCode(let path, _, _, let function):
            (code, text) = (.requiredFieldAdded, "\(path) is new, by the function '\(function)'")
        case .require(let path, _): (code, text) = (.becameRequired, "\(path) becomes required")
        case .requireByCode(let path, let function):
            (code, text) = (
                .becameRequired, "\(path) becomes required, by the function '\(function)'"
            )
        case .convert(let path, _, _, _, _):
            (code, text) = (.typeChanged, "\(path) gets another type")
        case .convertByCode(let path, _, _, let function):
            (code, text) = (
                .typeChanged, "\(path) gets another type, by the function '\(function)'"
            )
        case .followID(let path, _, _, let table):
            (code, text) = (.typeChanged, "\(path) follows the new ids of '\(table)'")
        case .changeKey(let table, let names):
            let list = names.map { "'\($0)'" }.joined(separator: ", ")
            return MigrationPlan.Step(
                code: SchemaChangeCode.idChanged.rawValue, table: table, version: version,
                text: "the id of '\(table)' becomes \(list)")
        case .replaceCases(let path, _): (code, text) = (.caseRemoved, "\(path) gets other cases")
        }
        return MigrationPlan.Step(
            code: code.rawValue, table: path?.table ?? "",
            field: path.map { $0.steps.joined(separator: ".") }, version: version, text: text)
    }
}
