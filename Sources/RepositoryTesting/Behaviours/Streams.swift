internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Streams of all records.
    static let streams: [StoreBehaviour] = [
        stream("streams.all", "A stream returns all records in id order, for every page size.") {
            trial in
            try await trial.fillCounters([5, 3, -1, 10, 8, 2, 7])
            for pageSize in [1, 2, 3, 6, 7, 8, 256] {
                let counters = try await trial.counters.stream(pageSize: pageSize).gathered()
                let numbers = counters.map(\.number.rawValue)
                try expect(numbers, is: [-1, 2, 3, 5, 7, 8, 10], "Page size \(pageSize).")
            }
        },
        stream("streams.empty", "A stream of an empty table ends immediately.") { trial in
            for try await counter in trial.counters.stream() {
                try expect(false, "The stream returned a record: \(counter)")
            }
        },
        stream("streams.twice", "Each iteration over a stream starts at the first record.") {
            trial in
            try await trial.fillCounters([1, 2, 3])
            let stream = trial.counters.stream(pageSize: 2)
            for _ in 0..<2 {
                let sum = try await stream.gathered().map(\.number.rawValue).reduce(0, +)
                try expect(sum, is: 6)
            }
        },
        stream("streams.whileDeleting", "Deleting streamed records does not affect the stream.") {
            trial in
            try await trial.fillCounters(Array(1...20))
            var numbers: [Int] = []
            for try await counter in trial.counters.stream(pageSize: 3) {
                numbers.append(counter.number.rawValue)
                try expect(numbers.count <= 20, "The stream does not end.")
                try await trial.counters.delete(counter.number)
            }
            try expect(numbers, is: Array(1...20))
            try await expect(trial.counters.count(), is: 0)
        },
        stream("streams.whileWriting", "A stream returns no record twice during concurrent writes.")
        {
            trial in
            try await trial.fillCounters(Array(1...10).map { $0 * 10 })
            var numbers: [Int] = []
            for try await counter in trial.counters.stream(pageSize: 2) {
                let number = counter.number.rawValue
                numbers.append(number)
                try expect(numbers.count <= 100, "The stream does not end.")
                guard number % 10 == 0 else { continue }
                try await trial.counters.save(Counter(number: .init(number), label: "seen"))
                try await trial.fillCounters([number - 1000])
            }
            try expect(Set(numbers).count, is: numbers.count, "A record was returned twice.")
            try expect(numbers.filter { $0 > 0 }, is: Array(1...10).map { $0 * 10 })
        },
        stream("streams.cancelled", "A stream ends when its task is cancelled.") { trial in
            try await trial.fillCounters(Array(1...10))
            let task = Task {
                var count = 0
                for try await _ in trial.counters.stream(pageSize: 1) {
                    count += 1
                    withUnsafeCurrentTask { $0?.cancel() }
                }
                return count
            }
            let result = await task.result
            guard case .failure = result else {
                throw ExpectationFailure(
                    message: "The stream did not end.", fileID: #fileID, line: #line)
            }
        },
    ]

    /// A behaviour of streams, for stores with listing.
    private static func stream(
        _ id: String, _ sentence: String, fileID: String = #fileID, line: Int = #line,
        _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            id, sentence, needs: [.records, .listing], fileID: fileID, line: line, body)
    }
}
