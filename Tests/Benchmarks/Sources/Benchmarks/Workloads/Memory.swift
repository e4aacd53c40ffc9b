import Foundation
import RepositoryRuntime
import Synchronization

/// Reading of 100,000 records in memory.
func memory() -> [Workload] {
    let rows = 100_000
    let reads = 100_000
    let numbers = (0..<reads).map { $0 * 7_919 % rows }
    return [
        readByID("memory: read by id", among: rows, count: reads),
        readByID("memory: read by id, among 1,000", among: 1_000, count: reads),
        instrumented("memory: read by id, instrument that is off", among: 1_000, count: reads),
        Workload(name: "memory: fetch by index", count: reads) {
            let stations = Station.first(rows)
            let library = Measurements(InMemoryStore(seed: stations))
            try await library.open()
            let countries = numbers.map { "country-\($0 / 10)" }
            // The first lookups build the index, and fill the cache that answers the later ones.
            for country in Set(countries) {
                use(try await library.stations.findAll(country: country))
            }
            let groups = Guarded(Dictionary(grouping: stations, by: \.country))
            return Sides(
                ours: Side {
                    try await timed {
                        for country in countries {
                            use(try await library.stations.findAll(country: country))
                        }
                    }
                },
                limit: Side("dictionary of arrays in a mutex") {
                    timed {
                        for country in countries { use(groups.value.withLock { $0[country] }) }
                    }
                })
        },
    ]
}

/// Reads in no order. Among many records most of the time goes to memory that is in no cache of the processor.
private func readByID(_ name: String, among rows: Int, count: Int) -> Workload {
    Workload(name: name, count: count) {
        let readings = Reading.first(rows)
        let library = Measurements(InMemoryStore(seed: readings))
        try await library.open()
        let ids = (0..<count).map { readings[$0 * 7_919 % rows].id }
        let dictionary = Guarded(Dictionary(readings.map { ($0.id, $0) }) { first, _ in first })
        return Sides(
            ours: Side {
                try await timed { for id in ids { use(try await library.readings.read(id)) } }
            },
            limit: Side("dictionary in a mutex") {
                timed { for id in ids { use(dictionary.value.withLock { $0[id] }) } }
            })
    }
}

/// Reading by ids from a store whose instrument does not want to know, beside the store alone.
private func instrumented(_ name: String, among rows: Int, count: Int) -> Workload {
    struct Off: StoreInstrument {
        var isEnabled: Bool { false }
    }
    return Workload(name: name, count: count) {
        let readings = Reading.first(rows)
        let store = InMemoryStore(seed: readings)
        let (library, plain) = (Measurements(store.instrumented(by: Off())), Measurements(store))
        try await library.open()
        let ids = (0..<count).map { readings[$0 * 7_919 % rows].id }
        return Sides(
            ours: Side {
                try await timed { for id in ids { use(try await library.readings.read(id)) } }
            },
            limit: Side("the store alone") {
                try await timed { for id in ids { use(try await plain.readings.read(id)) } }
            })
    }
}

/// A mutex that closures can share.
private final class Guarded<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }
}
