import Foundation
import RepositoryRuntime

/// What ten times as much costs: each line is told for one record, beside a tenth of them, so that 1.0× is linear.
func linear() -> [Workload] {
    [
        tenfold("createAll") { count in
            let stations = Station.first(count)
            return try await inMemory([]) { _ = try await $0.stations.createAll(stations) }
        },
        tenfold("create, index in use") { count in
            let stations = Station.first(count)
            return try await inMemory([]) { library in
                _ = try await library.stations.findAll(country: "none")
                for station in stations { try await library.stations.create(station) }
            }
        },
        tenfold("create and list in turn") { count in
            let stations = Station.first(count)
            return try await inMemory([]) { library in
                for station in stations {
                    try await library.stations.create(station)
                    use(try await library.stations.fetch(.limit(1)))
                }
            }
        },
        tenfold("updateAll") { count in
            try await inMemory(Station.first(count)) { library in
                _ = try await library.stations.updateAll(.all) { $0.country = "elsewhere" }
            }
        },
        tenfold("deleteAll") { count in
            try await inMemory(Station.first(count)) { _ = try await $0.stations.deleteAll() }
        },
        tenfold("writes of a transaction") { count in
            let stations = Station.first(count)
            return try await inMemory([]) { library in
                try await library.transaction { library in
                    for station in stations { try await library.stations.create(station) }
                }
            }
        },
        tenfold("transactions in a transaction") { count in
            let stations = Station.first(count)
            return try await inMemory([]) { library in
                try await library.transaction { library in
                    for station in stations {
                        try await library.transaction { library in
                            try await library.stations.create(station)
                        }
                    }
                }
            }
        },
        tenfold("writes, each while a snapshot is open") { count in
            let stations = Station.first(count)
            return try await inMemory([]) { library in
                for station in stations {
                    let snapshot = try await library.context.store.snapshot()
                    try await library.stations.create(station)
                    await snapshot.rollBack()
                }
            }
        },
        tenfold("sorted stream") { count in
            try await inMemory(Station.first(count)) { library in
                for try await station in library.stations.stream(.sorted(by: \.name)) {
                    use(station)
                }
            }
        },
        byHand("by hand: update each in a dictionary") { stations, dictionary in
            for station in stations { dictionary[station.id]?.country = "elsewhere" }
        },
        byHand("by hand: delete each from a dictionary") { stations, dictionary in
            for station in stations { dictionary[station.id] = nil }
        },
        byHand("by hand: sort, and read each from a dictionary") { _, dictionary in
            let sorted = dictionary.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
            for id in sorted.map(\.id) { use(dictionary[id]) }
        },
        text("JSON", JSONDataTransformer()), text("XML", XMLDataTransformer()),
        text("CBOR", CBORDataTransformer()),
    ]
}

/// A line that compares one size with a tenth of it.
private func tenfold(
    _ name: String, most: Int = 100_000, unit: Workload.Unit = .microseconds,
    _ run: @escaping (Int) async throws -> Duration
) -> Workload {
    Workload(name: "linear: \(name)", count: most, unit: unit) {
        Sides(
            ours: Side { try await run(most) },
            limit: Side("a tenth", count: most / 10) { try await run(most / 10) })
    }
}

/// A line of what one writes without this package, which meets the same memory.
private func byHand(
    _ name: String,
    _ body: @escaping ([Station], inout [Station.ID: Station]) -> Void
) -> Workload {
    tenfold(name) { count in
        let stations = Station.first(count)
        var dictionary = Dictionary(uniqueKeysWithValues: stations.map { ($0.id, $0) })
        let time = timed { body(stations, &dictionary) }
        use(dictionary)
        return time
    }
}

/// How long a body takes over a store in memory that holds some stations.
private func inMemory(
    _ stations: [Station], _ body: (Measurements) async throws -> Void
) async throws -> Duration {
    let library = Measurements(InMemoryStore(seed: stations), fullScans: .allow)
    try await library.open()
    return try await timed { try await body(library) }
}

private func text(_ name: String, _ transformer: some RecordTransformer) -> Workload {
    tenfold("text to \(name) and back", most: 1_000_000, unit: .nanoseconds) { count in
        var reading = Reading(number: 1)
        reading.note = String(repeating: "A line of text, é.\n", count: count / 20)
        return try timed {
            let bytes = try transformer.encodeRecord(reading, ReadingMapper.self)
            use(try transformer.decodeRecord(bytes, ReadingMapper.self))
        }
    }
}

extension Station {
    /// The first stations, ten of each country.
    static func first(_ count: Int) -> [Station] {
        (0..<count).map { number in
            Station(
                id: Station.ID("station-\(number)"), name: "Station \(number * 7_919 % count)",
                country: "country-\(number / 10)")
        }
    }
}
