internal import Dispatch
internal import Foundation

/// Makes the termination signals SIGINT and SIGTERM readable from a descriptor, so that a run in
/// progress can finish first.
final class StopSignals {
    /// A file descriptor that becomes readable when a signal has arrived.
    var descriptor: Int32 { ends.reader }
    private let ends: DescriptorPair
    private let sources: [any DispatchSourceSignal]

    /// Starts to intercept the signals.
    init() throws {
        let ends = try DescriptorPair()
        self.ends = ends
        let queue = DispatchQueue(label: "stop signals")
        sources = [SIGINT, SIGTERM].map { number in
            // Without SIG_IGN the signal would end the process before the dispatch source receives
            // it.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { ends.wake() }
            source.activate()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
    }
}

/// A nonblocking pipe with which one thread wakes another.
struct DescriptorPair: Sendable {
    /// The reading end.
    let reader: Int32
    /// The writing end.
    let writer: Int32

    /// Creates the pipe. The owner must close both ends.
    ///
    /// - Throws: ``FileProblem``.
    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw FileProblem(path: "pipe", reason: BoundedFile.systemError())
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (reader, writer) = (ends[0], ends[1])
    }

    /// Makes the reading end readable. If the pipe is full, it already is.
    func wake() {
        var byte: UInt8 = 1
        _ = write(writer, &byte, 1)
    }

    /// Reads and discards everything that was written.
    static func drain(_ descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while read(descriptor, &bytes, bytes.count) > 0 {}
    }
}
