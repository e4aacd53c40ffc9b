import Synchronization
import Testing

@testable import RepositoryRuntime

@Suite("The line of those who wait to write")
struct WriterLineTests {
    /// Who writes and how often it was done.
    private final class Writers: Sendable {
        let inside = Atomic(0)
        let written = Atomic(0)

        func enter() -> Bool { inside.add(1, ordering: .relaxed).newValue == 1 }

        func leave() {
            inside.subtract(1, ordering: .relaxed)
            written.add(1, ordering: .relaxed)
        }
    }

    /// Starts a task that waits in the line, and returns when it stands there.
    private func waiting(
        in line: WriterLine, _ body: @escaping @Sendable () -> Void
    ) async -> Task<Void, any Error> {
        let before = line.waiterCount
        let task = Task.detached {
            try await line.take()
            body()
            line.leave()
        }
        while line.waiterCount == before { await Task.yield() }
        return task
    }

    @Test("Who comes first writes first")
    func order() async throws {
        let line = WriterLine()
        let order = Mutex<[Int]>([])
        try await line.take()
        #expect(!line.isFree)
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<100 {
            tasks.append(await waiting(in: line) { order.withLock { $0.append(number) } })
        }
        #expect(order.withLock { $0.isEmpty })
        line.leave()
        for task in tasks { try await task.value }
        #expect(order.withLock { $0 } == Array(0..<100))
        #expect(line.isFree)
    }

    @Test("Who is cancelled leaves the line, and the others move up")
    func cancellation() async throws {
        let line = WriterLine()
        let order = Mutex<[Int]>([])
        try await line.take()
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<10 {
            tasks.append(await waiting(in: line) { order.withLock { $0.append(number) } })
        }
        for number in [0, 4, 9] { tasks[number].cancel() }
        for number in [0, 4, 9] {
            await #expect(throws: CancellationError.self) { try await tasks[number].value }
        }
        line.leave()
        for number in [1, 2, 3, 5, 6, 7, 8] { try await tasks[number].value }
        #expect(order.withLock { $0 } == [1, 2, 3, 5, 6, 7, 8])
        #expect(line.isFree)
    }

    @Test("A cancelled task does not begin to write, whether the queue is free or not")
    func cancelledBefore() async throws {
        let line = WriterLine()
        for _ in 0..<2 {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                await #expect(throws: CancellationError.self) { try await line.take() }
            }
            await task.value
            if line.isFree { try await line.take() }
        }
        #expect(!line.isFree)
        line.leave()
        #expect(line.isFree)
    }

    @Test("Of many tasks that come and are cancelled at any time one writes at a time")
    func races() async throws {
        let line = WriterLine()
        let writers = Writers()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<400 {
                group.addTask { @concurrent in
                    let task = Task.detached {
                        try await line.take()
                        #expect(writers.enter())
                        await Task.yield()
                        writers.leave()
                        line.leave()
                    }
                    if number % 3 == 0 {
                        await Task.yield()
                        task.cancel()
                    }
                    do {
                        try await task.value
                        return true
                    } catch is CancellationError {
                        return false
                    }
                }
            }
            var count = 0
            for try await wrote in group where wrote { count += 1 }
            #expect(count == writers.written.load(ordering: .relaxed))
            #expect(count >= 266)
        }
        #expect(line.isFree)
    }
}
