internal import Foundation

/// Waits for changes below folders.
final class Watcher {
    private let roots: [String]
    private let stop: StopSignals
    private let events: (any FolderEvents)?
    private var seen: UInt64?
    private var isTold = false

    /// How long it sleeps, in milliseconds, between looks at what the system does not tell of.
    private static let interval: Int32 = 250
    /// An editor makes several changes for one save; no more of them come after this many milliseconds of quiet.
    private static let quiet: Int32 = 10
    /// How often it waits for quiet: who writes without end is not waited for.
    private static let longestSettling = 4

    /// Watches folders from here on.
    init(_ roots: [String], until stop: StopSignals) {
        self.roots = roots
        self.stop = stop
        events = systemFolderEvents()
        look()
    }

    /// Waits until something is not as it was; false when the program is to end.
    ///
    /// The folders are watched anew before it returns, so that nothing that happens while the caller reads them is missed.
    func nextChange() -> Bool {
        while true {
            let before = seen
            let descriptors = [stop.descriptor] + [events?.descriptor].compactMap { $0 }
            let ready = Self.wait(for: descriptors, isTold ? -1 : Self.interval)
            if ready.contains(stop.descriptor) { return false }
            if let events, ready.contains(events.descriptor) { settle(events.descriptor) }
            look()
            if seen != before { return true }
        }
    }

    private func look() {
        // What appears in a new folder before it is watched is found by looking once more.
        repeat {
            let tree = WatchedTree(roots)
            isTold = events?.watch(tree) ?? false
            if tree.mark == seen { return }
            seen = tree.mark
        } while isTold
    }

    private func settle(_ descriptor: Int32) {
        for _ in 0..<Self.longestSettling {
            DescriptorPair.drain(descriptor)
            guard !Self.wait(for: [descriptor], Self.quiet).isEmpty else { return }
        }
    }

    /// The descriptors that can be read from; none after a time in milliseconds.
    private static func wait(for descriptors: [Int32], _ milliseconds: Int32) -> Set<Int32> {
        var waits = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // Interrupted by a signal it returns early; the caller looks then, and waits again.
        guard poll(&waits, nfds_t(waits.count), milliseconds) > 0 else { return [] }
        return Set(waits.filter { $0.revents != 0 }.map(\.fd))
    }
}
