/// A page that is read while the page before it is used.
///
/// The reading is cancelled when nothing refers to it any more, because a loop has ended early.
final class ReadAhead<E: Entity>: Sendable {
    /// The greatest number of records of the page.
    let size: Int
    private let task: Task<UndecodedPage<E>, any Error>

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - size: the greatest number of records.
    ///   - read: reads the page.
    init(_ size: Int, _ read: @escaping @Sendable () async throws -> UndecodedPage<E>) {
        self.size = size
        task = Task { try await read() }
    }

    deinit { task.cancel() }

    /// Returns the page.
    ///
    /// - Throws: the error of the reading; `CancellationError` if the calling task is cancelled.
    func page() async throws -> UndecodedPage<E> {
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
