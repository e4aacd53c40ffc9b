internal import Dispatch
internal import Synchronization

extension Array where Element: Sendable {
    /// The results of a function for all elements, in their order, on all cores: no file's text depends on another's.
    package func concurrentlyMapped<Result: Sendable>(
        _ transform: @Sendable (Element) -> Result
    ) -> [Result] {
        // Chunks are small, so that a core that is late has little left to do.
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
