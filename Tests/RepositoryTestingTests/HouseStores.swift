import Foundation
import RepositorySQLite
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// One of the stores of this package, in one format.
struct HouseStore: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let harness: StoreHarness
    /// The behaviours that ask for what the store is documented to refuse.
    private(set) var beyond: Set<String> = []
    /// The areas that are shown by another form of the same store, and do not depend on what
    /// differs.
    private(set) var shownElsewhere: Set<String> = []
    /// Which behaviours of each area the store is tried with where another one shows all: every so many, from that one on.
    private var sample: (step: Int, first: Int)?

    /// The stores that users open, with every behaviour. User defaults have every sixth one, because
    /// they differ from files only in where the documents are. Those that take longest are last: they
    /// begin first, because what waits last goes on first (`CaseLimit`).
    static let stores = [
        HouseStore("memory", StoreHarness { _ in InMemoryStore() }),
        userDefaults(HouseFormat.all[0]).sampled(6, from: 0), sqlite, files(HouseFormat.all[0]),
    ]

    /// The store that others are compared with, and those of ``stores`` with other formats, in other forms and inside
    /// wrappers. Neighbours are alike, and are tried with different behaviours.
    static let further =
        variants.enumerated().map { $1.sampled(36, from: $0) } + [
            HouseStore("reference", StoreHarness { _ in ReferenceStore() }).sampled(6, from: 1)
        ]

    static let all = further + stores

    private static let variants: [HouseStore] =
        [
            otherForms, dates("seconds since 2001", as: .secondsSince2001),
            dates("ISO 8601", as: .iso8601Microseconds), unmanaged,
            cachedSQLite, instrumented, repeating, cachedFiles, filesOfTenant, sqliteOfTenant,
            journal,
        ]
        + HouseFormat.all.dropFirst().map(files)
        + [
            HouseStore(
                "four methods over memory",
                StoreHarness { _ in NoteRepository(InMemoryRepository()).context.store })
        ]
        + HouseFormat.all.filter(\.lacks.isEmpty).map(fourMethods)
        + HouseFormat.wrapped.prefix(1).map(wrappedFiles)
        + HouseFormat.wrapped.dropFirst().map(wrappedUserDefaults)

    private init(_ name: String, _ harness: StoreHarness) {
        testDescription = "store: \(name)"
        self.harness = harness
    }

    private func sampled(_ step: Int, from first: Int) -> HouseStore {
        var store = self
        store.sample = (step, first)
        return store
    }

    /// Returns those of some behaviours that the store is tried with. `REPOSITORY_LONG=1` tries each store with all of them,
    /// and so does a choice of behaviours.
    func tried(_ behaviours: [StoreBehaviour]) -> [StoreBehaviour] {
        let asked = behaviours.filter { !shownElsewhere.contains($0.area) }
        guard let sample, Chosen.variable("REPOSITORY_LONG") != "1",
            Chosen.variable("REPOSITORY_BEHAVIOUR") == nil
        else { return asked }
        let areas = Dictionary(grouping: asked, by: \.area)
        let ids = areas.values.flatMap { area in
            // Small areas have two at least, if there are two.
            let step = max(1, min(sample.step, area.count / 2))
            return area.indices.filter { $0 % step == sample.first % step }.map { area[$0].id }
        }
        let chosen = Set(ids)
        return asked.filter { chosen.contains($0.id) }
    }

    /// A store that repeats what another store fails with in every fourth operation or so.
    private static let repeating = HouseStore(
        "repeating memory",
        StoreHarness { _ in
            FailingStore(InMemoryStore(), seed: 7)
                .retrying(RetryPolicy(attempts: 60, firstDelay: .zero))
        })

    /// A store whose operations are measured. It also shows what wrapped transactions do.
    private static let instrumented = {
        var store = HouseStore(
            "instrumented SQLite",
            StoreHarness { place in
                HouseSQL.store(place).instrumented(by: StoreMeter(), slowAfter: .zero)
            })
        // What a query or a type means is shown by the store that is measured.
        if Chosen.variable("REPOSITORY_LONG") != "1" {
            store.shownElsewhere = ["group", "ignoringCase", "kinds", "queries", "types"]
        }
        return store
    }()

    /// A cache, which asks the store before each answer.
    private static let cachedSQLite = HouseStore(
        "cached SQLite", StoreHarness { place in try HouseSQL.store(place).caching(limit: 64) })

    /// A cache over files. What the documents of files show is shown by the files themselves.
    private static let cachedFiles = {
        var store = HouseStore(
            "cached files",
            StoreHarness { place in
                try FileSystemStore(directory: place.directory).caching(limit: 64)
            })
        if Chosen.variable("REPOSITORY_LONG") != "1" {
            store.shownElsewhere = Set(StoreBehaviour.all.map(\.area)).subtracting([
                "batches", "changeState", "concurrency", "observation", "records", "reset",
                "transactions",
            ])
        }
        return store
    }()

    /// What a tenant's folder could change: the rest is shown by the store itself.
    private static let besidesTenants: Set<String> = Set(StoreBehaviour.all.map(\.area))
        .subtracting(["closing", "external", "hostileIDs", "records", "reset", "upkeep"])

    /// A tenant's files, with a name that is encoded.
    private static let filesOfTenant = {
        var store = HouseStore(
            "files of a tenant",
            StoreHarness { place in
                try FileSystemStore(directory: place.directory.appending(path: "store"))
                    .tenant("../Ä\u{0}ME")
            })
        store.shownElsewhere = besidesTenants
        return store
    }()

    /// A tenant's database, with a name that is encoded.
    private static let sqliteOfTenant = {
        var store = HouseStore(
            "SQLite of a tenant",
            StoreHarness { place in try HouseSQL.store(place).tenant("../Ä\u{0}ME") })
        store.shownElsewhere = besidesTenants
        return store
    }()

    private static let sqlite = HouseStore(
        "SQLite",
        StoreHarness(
            damage: { place, table, id in
                let text = table.layout.fields.indices.first {
                    table.layout.fields[$0].type == .text && !table.key.contains($0)
                }
                guard let text else { return }
                let (column, key) = (table.fields[text].column, table.fields[table.key[0]].column)
                try HouseSQL.run(
                    """
                    UPDATE "\(table.name)" SET "\(column)" = CAST(x'FF' || id AS TEXT) \
                    WHERE "\(key)" = '\(id)'
                    """, place)
            }
        ) { place in
            HouseSQL.store(place)
        })

    /// What does not look at the columns of a table: the plain SQLite store shows it.
    private static let besidesColumns: Set = [
        "batches", "concurrency", "hostileIDs", "listing", "observation", "stamps", "streams",
        "transactions", "versions",
    ]

    /// Dates and decimals as text, UUIDs as bytes.
    private static let otherForms = {
        var store = HouseStore(
            "SQL of other forms",
            StoreHarness { place in
                ReformedStore(HouseSQL.store(place)) { table in
                    table.reformed { type in
                        switch type {
                        case .date, .decimal: .text
                        case .uuid: .blob
                        default: nil
                        }
                    }
                }
            })
        // Their dates are of years beyond 9999, which text does not hold.
        store.beyond = [
            "types.microseconds", "queries.sort.microseconds", "queries.compare.microseconds",
        ]
        store.shownElsewhere = besidesColumns
        return store
    }()

    /// Dates in a form of other programs.
    private static func dates(_ name: String, as form: StoredForm) -> HouseStore {
        var store = HouseStore(
            "SQL of \(name)",
            StoreHarness { place in
                ReformedStore(HouseSQL.store(place)) { table in
                    table.reformed { $0 == .date ? form : nil }
                }
            })
        store.beyond =
            form == .secondsSince2001
            // Some of their dates are of far years with fractions of a second.
            ? ["random.queries"]
            // Their dates are of years beyond 9999, which text does not hold.
            : ["types.microseconds", "queries.sort.microseconds", "queries.compare.microseconds"]
        // What does not look at dates.
        store.shownElsewhere = Set(StoreBehaviour.all.map(\.area))
            .subtracting(["finders", "indexes", "kinds", "queries", "random", "types", "updates"])
        return store
    }

    /// Tables that somebody else has made.
    private static let unmanaged = {
        var store = HouseStore(
            "SQL of somebody else",
            StoreHarness { place in
                ReformedStore(
                    HouseSQL.store(place), made: { try await HouseSQL.makeTables(of: $0, place) }
                ) { table in
                    table.reformed(managed: false) { $0 == .uuid ? .lowercaseText : nil }
                }
            })
        // What their partial indexes leave out is not known, so that no plan counts on them.
        store.beyond = [
            "indexes.partial.planned",
            // The owner makes the index that ignores case.
            "evolution.ignoringCaseRenamed",
            // Unmanaged tables have no description: each opening of the suite's is a store of its own.
            "sets.otherwise", "sets.olderProgram",
            // An unmanaged table has no external data.
            "random.external",
        ]
        store.shownElsewhere = besidesColumns.union(["external"])
        return store
    }()

    /// The example of the guide.
    private static let journal = HouseStore(
        "journal, JSON",
        StoreHarness(
            damage: { place, table, id in
                let driver = try JournalDriver(directory: place.directory)
                let change = DocumentChange(id, in: table.name, data: HouseFormat.damaged)
                try driver.withLock { try driver.applyAll([change]) }
            }
        ) { place in
            DocumentStore(
                try JournalDriver(directory: place.directory),
                transformer: JSONDataTransformer())
        })

    /// What does not look into the records of files: the store with the first format shows it.
    private static let besidesFormats: Set = [
        "batches", "cancellation", "closing", "concurrency", "conflicts", "deletes", "exchange",
        "hostileIDs", "listing", "observation", "references", "relations", "relatives", "replace",
        "reset", "search", "stamps", "streams", "transactions", "unique", "upkeep", "versions",
    ]

    private static func files(_ format: HouseFormat) -> HouseStore {
        var store = filesStore(format)
        let isFirst = format.name == HouseFormat.all[0].name
        if !isFirst, Chosen.variable("REPOSITORY_LONG") != "1" {
            store.shownElsewhere = besidesFormats
        }
        return store
    }

    private static func filesStore(_ format: HouseFormat) -> HouseStore {
        HouseStore(
            "files, \(format.name)",
            StoreHarness(
                damage: { place, table, id in
                    let driver = FileDriver(
                        root: place.directory,
                        formatExtension: format.transformer.formatExtension, providesStamps: true)
                    let file = try driver.layout.place(id, in: table.name, driver.read)
                    try HouseFormat.damaged.write(
                        to: place.directory.appendingPathComponent(file.path))
                }
            ) { place in
                FileSystemStore(directory: place.directory, transformer: format.transformer)
            })
    }

    private static func userDefaults(_ format: HouseFormat) -> HouseStore {
        HouseStore(
            "user defaults, \(format.name)",
            StoreHarness(
                damage: { place, table, id in
                    let driver = UserDefaultsDriver(
                        DefaultsDomain(suiteName: HouseDefaults.shared.suite(place)),
                        providesStamps: false)
                    let change = DocumentChange(id, in: table.name, data: HouseFormat.damaged)
                    try driver.withLock { try driver.applyAll([change]) }
                },
                cleanUp: { place in try HouseDefaults.shared.remove(place) }
            ) { place in
                UserDefaultsStore(
                    suiteName: HouseDefaults.shared.suite(place), transformer: format.transformer)
            })
    }

    /// Everything that stores documents of another kind, too: indexes, external data, the files of
    /// a batch. `REPOSITORY_LONG=1` shows the rest.
    private static func wrappedFiles(_ format: HouseFormat) -> HouseStore {
        var store = filesStore(format)
        if Chosen.variable("REPOSITORY_LONG") != "1" {
            store.shownElsewhere = besidesFormats.subtracting([
                "batches", "exchange", "search", "transactions", "unique", "upkeep",
            ])
        }
        return store
    }

    /// What reads and writes documents; the rest is shown by the same store in plain JSON.
    private static func wrappedUserDefaults(_ format: HouseFormat) -> HouseStore {
        var store = userDefaults(format)
        if Chosen.variable("REPOSITORY_LONG") != "1" { store.shownElsewhere = besidesFormats }
        return store
    }

    private static func fourMethods(_ format: HouseFormat) -> HouseStore {
        HouseStore(
            "four methods over files, \(format.name)",
            StoreHarness { place in
                NoteRepository(
                    FileSystemRepository(
                        directoryURL: place.directory, dataTransformer: format.transformer)
                ).context.store
            })
    }
}
