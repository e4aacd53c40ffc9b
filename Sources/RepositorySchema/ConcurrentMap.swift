internal import Dispatch
internal import Synchronization

extension Array where Element: Sendable {
    /// Maps the elements on all cores and returns the results in the order of the elements.
    package func concurrentlyMapped<Result: Sendable>(
        _ transform: @Sendable (Element) -> Result
    ) -> [Result] {
        // Small chunks, so that all cores finish at about the same time.
        let size = 16
        let chunks = stride(from: 0, to: count, by: size).map {
            Array(self[$0..<Swift.min($0 + size, count)])
        }
        let results = Mutex<[[Result]]>(Swift.Array(repeating: [], count: chunks.count))
        DispatchQueue.concurrentPerform(iterations: chunks.count) { index in
            let part = chunks[index].map(transform)
            results.withLock { $0[index] = part }
        }
        return results.withLock { $0.flatMap { $0 } }
    }
}
