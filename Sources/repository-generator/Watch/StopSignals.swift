internal import Dispatch
internal import Foundation

/// Turns the signals that end a program into something to wait for: the work that is under way is finished first.
final class StopSignals {
    /// Can be read from when one has come.
    var descriptor: Int32 { ends.reader }
    private let ends: DescriptorPair
    private let sources: [any DispatchSourceSignal]

    /// Takes the signals from here on.
    init() throws {
        let ends = try DescriptorPair()
        self.ends = ends
        let queue = DispatchQueue(label: "stop signals")
        sources = [SIGINT, SIGTERM].map { number in
            // Otherwise the signal would end the program before the source sees it.
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

/// A pipe that one thread wakes another with.
struct DescriptorPair: Sendable {
    let reader: Int32
    let writer: Int32

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

    /// Makes the reader readable. When the pipe is full it is so already.
    func wake() {
        var byte: UInt8 = 1
        _ = write(writer, &byte, 1)
    }

    /// Takes all that was written.
    static func drain(_ descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while read(descriptor, &bytes, bytes.count) > 0 {}
    }
}
