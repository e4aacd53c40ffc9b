import RepositoryRuntime
import RepositorySQLite
import Testing

@testable import RepositoryTesting

/// One of the stores of this package, in one format.
struct HouseStore: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let harness: StoreHarness

    static let all: [HouseStore] =
        [
            HouseStore(
                testDescription: "store: reference",
                harness: StoreHarness { _ in ReferenceStore() }),
            HouseStore(
                testDescription: "store: four methods over memory",
                harness: StoreHarness { _ in NoteRepository(InMemoryRepository()).context.store }),
            sqlite,
        ]
        + HouseFormat.all.filter(\.lacks.isEmpty).map(fourMethods)

    private static let sqlite = HouseStore(
        testDescription: "store: SQLite",
        harness: StoreHarness(
            damage: { place, table, id in
                try HouseSQL.run(
                    "UPDATE \"\(table.name)\" SET text = CAST(x'FF' AS TEXT) WHERE id = '\(id)'",
                    place)
            }
        ) { place in
            SQLiteStore(path: HouseSQL.file(place))
        })

    private static func fourMethods(_ format: HouseFormat) -> HouseStore {
        HouseStore(
            testDescription: "store: four methods over files, \(format.name)",
            harness: StoreHarness { place in
                NoteRepository(
                    FileSystemRepository(
                        directoryURL: place.directory, dataTransformer: format.transformer)
                ).context.store
            })
    }
}
