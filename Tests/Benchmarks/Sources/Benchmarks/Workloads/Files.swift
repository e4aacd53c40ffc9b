import Foundation
import RepositoryRuntime

/// Records as files of JSON.
func files(_ scratch: Scratch) -> [Workload] {
    let replacements = 300
    let records = 1_000
    let transformer = JSONDataTransformer()
    return [
        Workload(name: "files: durable replace", count: replacements) {
            let reading = Reading(number: 1)
            let library = Measurements(FileSystemStore(directory: try scratch.newFolder("store")))
            try await library.readings.create(reading)
            let bytes = try transformer.encode(reading)
            let raw = RawFolder(try scratch.newFolder("raw"))
            let atomic = try scratch.newFolder("atomic").appendingPathComponent("item.json")
            return Sides(
                ours: Side {
                    try await timed {
                        for _ in 0..<replacements {
                            use(try await library.readings.update(reading))
                        }
                    }
                },
                limit: Side("write, fsync, rename, fsync of the folder") {
                    try timed {
                        for _ in 0..<replacements { try raw.replace("item.json", with: bytes) }
                    }
                },
                peer: Side("Foundation .atomic, the folder not forced") {
                    try timed {
                        for _ in 0..<replacements { try bytes.write(to: atomic, options: .atomic) }
                    }
                })
        },
        Workload(name: "files: durable create with an index", count: replacements) {
            let library = Measurements(FileSystemStore(directory: try scratch.newFolder("store")))
            try await library.books.createAll((0..<1_000).map { Book(number: $0, author: $0 / 10) })
            let bytes = try transformer.encode(Book(number: 0, author: 0))
            let raw = RawFolder(try scratch.newFolder("raw"))
            var (ours, others) = (1_000, 0)
            return Sides(
                ours: Side {
                    try await timed {
                        for _ in 0..<replacements {
                            use(
                                try await library.books.create(
                                    Book(number: ours, author: ours * 7 % 100)))
                            ours += 1
                        }
                    }
                },
                limit: Side("the file alone: write, fsync, link, fsync of the folder") {
                    try timed {
                        for _ in 0..<replacements {
                            try raw.create("\(others).json", with: bytes)
                            others += 1
                        }
                    }
                })
        },
        Workload(name: "files: read a record", count: records) {
            let readings = Reading.first(records)
            let library = Measurements(FileSystemStore(directory: try scratch.newFolder("store")))
            try await library.readings.createAll(readings)
            let folder = try scratch.newFolder("raw")
            let raw = RawFolder(folder)
            for reading in readings {
                try raw.replace("\(reading.id).json", with: transformer.encode(reading))
            }
            let names = readings.map { "\($0.id).json" }
            let urls = names.map { folder.appendingPathComponent($0) }
            return Sides(
                ours: Side {
                    try await timed {
                        for reading in readings {
                            use(try await library.readings.read(reading.id))
                        }
                    }
                },
                limit: Side("open, read, close") {
                    try timed { for name in names { use(try raw.read(name)) } }
                },
                peer: Side("Foundation, bytes only") {
                    try timed { for url in urls { use(try Data(contentsOf: url)) } }
                })
        },
    ]
}
