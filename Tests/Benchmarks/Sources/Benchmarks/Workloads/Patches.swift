import Foundation
import RepositoryRuntime
import RepositorySQLite

/// Patches of one field beside updates of the whole record, each on the disk when it returns.
func patches(_ scratch: Scratch) -> [Workload] {
    let count = 500
    return [
        Workload(name: "sqlite: patch a record", count: count) {
            let library = Measurements(
                SQLiteStore(path: try scratch.newFolder("patches").path + "/patches.sqlite"))
            return try await patchSides(library, count)
        },
        Workload(name: "files: patch a record", count: count) {
            try await patchSides(
                Measurements(FileSystemStore(directory: try scratch.newFolder("patches"))), count)
        },
    ]
}

/// Patches and updates of one field of the first of 1,000 readings.
private func patchSides(_ library: Measurements, _ count: Int) async throws -> Sides {
    let readings = Reading.first(1_000)
    try await library.readings.createAll(readings)
    let reading = readings[0]
    return Sides(
        ours: Side {
            try await timed {
                for number in 0..<count {
                    var patch = RecordPatch<Reading>()
                    patch.count = number
                    use(try await library.readings.update(reading.id, patch))
                }
            }
        },
        limit: Side("update of the record") {
            try await timed {
                for number in 0..<count {
                    var changed = reading
                    changed.count = number
                    use(try await library.readings.update(changed))
                }
            }
        })
}
