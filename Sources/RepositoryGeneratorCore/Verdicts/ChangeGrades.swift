package import RepositorySchema

/// What a change means to those who read data, code or a plan: a row of the table of verdicts.
package struct ChangeGrades: Sendable, Hashable {
    /// What happens to stored data.
    package enum StoredData: String, Sendable, Hashable, CaseIterable {
        /// It stays as it is.
        case kept
        /// Every value is converted, or filled in.
        case converted
        /// The migration fails if some data does not fit.
        case dependsOnData = "depends on the data"
        /// A function of the program decides.
        case needsCode = "needs code"
        /// It is lost, as declared.
        case dropped
        /// The decision in the schema says which of them.
        case asDeclared = "as declared"
        /// The schema needs a decision and has none.
        case undecided
    }

    /// What an older program can do with the new data.
    package enum OlderProgram: String, Sendable, Hashable, CaseIterable {
        /// It reads and writes as before.
        case works
        /// The store refuses it, with all differences.
        case refused
    }

    /// What a store reads and writes to carry out the change.
    package enum Cost: String, Sendable, Hashable, CaseIterable, Comparable {
        /// Nothing but its description.
        case atOnce = "at once"
        /// All records of the table.
        case readsAll = "reads all"
        /// All records of the table, which it writes again.
        case rewritesAll = "rewrites all"

        /// The cheaper one first.
        package static func < (left: Cost, right: Cost) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .atOnce: 0
            case .readsAll: 1
            case .rewritesAll: 2
            }
        }
    }

    /// Who waits for PostgreSQL.
    package enum Lock: String, Sendable, Hashable, CaseIterable {
        /// Nobody.
        case none
        /// Everybody for a moment, with a limit and retries.
        case brief
        /// Writers, until the change is done.
        case writers
    }

    /// What happens to stored data.
    package var data: StoredData
    /// What of the Swift code that uses the types no longer compiles; nil if all does.
    package var breaks: String?
    /// An older program on data in tables with columns.
    package var olderOnColumns: OlderProgram
    /// An older program on data in documents.
    package var olderOnDocuments: OlderProgram
    /// What an older program can do in PostgreSQL, if it differs from other databases.
    package var olderOnPostgreSQL: OlderProgram?
    /// The cost in SQLite.
    package var sqlite: Cost
    /// The cost in stores of documents.
    package var documents: Cost
    /// The cost in PostgreSQL.
    package var postgresql: Cost
    /// Who waits for PostgreSQL.
    package var lock: Lock
}

extension ChangeGrades {
    /// The grades of a change: the row of its code, with what the declared decision says.
    ///
    /// - A change without its decision is `undecided`.
    /// - A decision by code `needs code`, rewrites all, and older programs are refused.
    /// - Data that may not fit `depends on the data`.
    /// - A new table is refused by older programs if a present entity refers to it.
    /// - A field that no index contains ignores case at once, and older programs go on. In
    ///   PostgreSQL, a column with the folded texts is added, and older programs are refused.
    /// - A new field with a default or `onCreate`, `onCreate` itself, and a default that is not
    ///   removed, break no Swift code.
    /// - The values of an encrypted field are hashed for its index: older programs with columns are
    ///   refused, and SQL stores rewrite all.
    /// - A `default: now` is in no stored data: older programs go on.
    /// - An unmanaged table is never migrated: its data is `kept`, at once, and older programs with
    ///   columns go on.
    package init(_ change: SchemaChange) {
        self = Self.table(change.code)
        if change.isReferredTo {
            olderOnColumns = .refused
            olderOnDocuments = .refused
        }
        if change.isUnstored {
            (olderOnColumns, olderOnDocuments) = (.works, .works)
            (sqlite, documents, postgresql, lock) = (.atOnce, .atOnce, .atOnce, .none)
            if change.code == .foldingChanged {
                olderOnPostgreSQL = .refused
                (postgresql, lock) = (.readsAll, .brief)
            }
        }
        if change.isHashed {
            olderOnColumns = .refused
            if change.code != .indexRenamed {
                (sqlite, postgresql, lock) = (.rewritesAll, .rewritesAll, .writers)
            }
        }
        if change.keepsInitializer { breaks = nil }
        if change.isUnmanaged {
            data = .kept
            if change.code != .manageChanged { olderOnColumns = .works }
            olderOnPostgreSQL = nil
            (sqlite, documents, postgresql, lock) = (.atOnce, .atOnce, .atOnce, .none)
        } else if change.isUndecided {
            data = .undecided
        } else if change.decision?.isCode ?? false {
            data = .needsCode
            (olderOnColumns, olderOnDocuments) = (.refused, .refused)
            (sqlite, documents, postgresql, lock) =
                (.rewritesAll, .rewritesAll, .rewritesAll, .writers)
        } else if change.dependsOnData {
            data = .dependsOnData
        } else if data == .asDeclared {
            data = .converted
        }
    }

    /// Returns the cost in a store; nil for one that the generator does not know.
    package func cost(in store: KnownStore) -> Cost? {
        switch store {
        case .sqlite: sqlite
        case .postgresql: postgresql
        case .files, .userDefaults: documents
        case .memory: .atOnce
        case .fourMethods: nil
        }
    }
}

extension SchemaChange {
    /// Whether the initialiser of the type has a default for the field, so that calls still
    /// compile.
    fileprivate var keepsInitializer: Bool {
        switch (code, detail) {
        case (.requiredFieldAdded, .field(let field)), (.requiredMemberAdded, .field(let field)):
            field.defaultValue != nil || field.onCreateNow != nil
        case (.defaultChanged, .defaultValue(_, let new)): new != nil
        case (.creationDateChanged, .text(_, let new)): new != nil
        default: false
        }
    }
}
