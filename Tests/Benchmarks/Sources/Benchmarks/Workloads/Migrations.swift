import Foundation
import RepositoryRuntime
import RepositorySQLite

/// A version of the schema in which a function converts each record, beside a program that streams
/// the old records and inserts them into a new store.
func migrations(_ scratch: Scratch) -> [Workload] {
    [
        migration("migrate: sqlite 100,000 by a function", 100_000, scratch) {
            SQLiteStore(path: $0.appendingPathComponent("readings.sqlite").path)
        },
        migration(
            "migrate: sqlite 100,000 by a function, beside removing the old", 100_000, scratch,
            removingOld: true
        ) {
            SQLiteStore(path: $0.appendingPathComponent("readings.sqlite").path)
        },
        migration("migrate: files 10,000 by a function", 10_000, scratch) {
            FileSystemStore(directory: $0)
        },
    ]
}

/// A line for one kind of store, made over a folder.
///
/// - Parameter removingOld: whether the program beside also removes the old records, as a migration
///   does.
private func migration(
    _ name: String, _ count: Int, _ scratch: Scratch, removingOld: Bool = false,
    _ store: @escaping (URL) -> any EntityStore
) -> Workload {
    Workload(name: name, count: count, rounds: 3) {
        let readings = Reading.first(count)
        /// A folder with the readings, as the first version writes them.
        func filled() async throws -> URL {
            let folder = try scratch.newFolder("migrated")
            try await Versions.first(store(folder)).readings.createAll(readings)
            return folder
        }
        return Sides(
            ours: Side {
                let library = Versions.second(store(try await filled()))
                let time = try await timed { try await library.open() }
                guard try await library.readings.read(readings[0].id).count == readings[0].count + 1
                else { throw Versions.Wrong() }
                return time
            },
            limit: Side(removingOld ? "stream, bulk insert, remove" : "stream and bulk insert") {
                let old = Versions.first(store(try await filled()))
                let new = Versions.first(store(try scratch.newFolder("migrated")))
                try await new.open()
                return try await timed {
                    var read: [Reading] = []
                    read.reserveCapacity(count)
                    for try await var reading in old.readings.stream(.all) {
                        reading.count += 1
                        read.append(reading)
                    }
                    try await new.readings.createAll(read)
                    if removingOld { try await old.reset() }
                }
            })
    }
}

/// Programs of two versions of the readings. The second one adds 1 to each count.
enum Versions {
    /// The migration did not add 1.
    struct Wrong: Error {}

    static func first(_ store: any EntityStore) -> Measurements { program(store, [1]) }
    static func second(_ store: any EntityStore) -> Measurements { program(store, [1, 2]) }

    private static func program(_ store: any EntityStore, _ versions: [Int]) -> Measurements {
        let texts = versions.map { number in
            let change =
                #"{"kind":"convertByCode","path":["readings","count"],"type":"int64","function":"count"}"#
            return """
                {"number":\(number),"hash":"\(number)","changes":[\(number == 1 ? "" : change)],\
                "identity":{"documents":"","columns":"","cases":""}}
                """
        }
        let functions = MigrationFunctions([
            "count": { old, new in
                new.set(try old.value("count", as: Int.self) + 1, "count")
                return true
            }
        ])
        return Measurements(
            context: RepositoryContext(
                store: store,
                schema: StoreSchema(
                    "Measurements", Measurements.schema.entities,
                    history: ["{\"versions\":[", texts.joined(separator: ","), "],\"sides\":[]}"],
                    functions: functions)))
    }
}
