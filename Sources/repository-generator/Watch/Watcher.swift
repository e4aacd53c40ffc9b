internal import Foundation

/// Waits for changes in folders.
///
/// System events only wake the watcher. A change is detected by comparing hashes of the folders'
/// metadata, so that missed and redundant events do no harm. Where the system reports no events,
/// the watcher polls. It is used by one thread.
final class Watcher {
    /// The root folders.
    private let roots: [String]
    private let stop: StopSignals
    /// The events of the platform; `nil` if it has none.
    private let events: (any FolderEvents)?
    /// The hash of the folders at the last look.
    private var seen: UInt64?
    /// Whether the system reports events for all folders, so that polling is not necessary.
    private var isTold = false

    /// The polling interval in milliseconds, for folders without system events.
    private static let interval: Int32 = 250
    /// The time without events, in milliseconds, after which a save is considered complete. Editors
    /// make several changes per save.
    private static let quiet: Int32 = 10
    /// The maximum number of waits for such a pause, so that continuous writing cannot delay a run
    /// indefinitely.
    private static let longestSettling = 4

    /// Starts to watch folders.
    init(_ roots: [String], until stop: StopSignals) {
        self.roots = roots
        self.stop = stop
        events = systemFolderEvents()
        look()
    }

    /// Waits until the folders differ from their last state.
    ///
    /// The new state is watched before the method returns, so that no change is missed while the
    /// caller reads the files.
    ///
    /// - Returns: `false` if the program was told to stop.
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

    /// Hashes the folders and watches their present state.
    private func look() {
        // A second look finds files that appeared in a new folder before it was watched.
        repeat {
            let tree = WatchedTree(roots)
            isTold = events?.watch(tree) ?? false
            if tree.mark == seen { return }
            seen = tree.mark
        } while isTold
    }

    /// Discards events until a pause follows.
    private func settle(_ descriptor: Int32) {
        for _ in 0..<Self.longestSettling {
            DescriptorPair.drain(descriptor)
            guard !Self.wait(for: [descriptor], Self.quiet).isEmpty else { return }
        }
    }

    /// Returns the descriptors that are readable; empty after a timeout in milliseconds. A negative
    /// timeout waits indefinitely.
    private static func wait(for descriptors: [Int32], _ milliseconds: Int32) -> Set<Int32> {
        var waits = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // A signal interrupts `poll` early. The caller then looks and waits again.
        guard poll(&waits, nfds_t(waits.count), milliseconds) > 0 else { return [] }
        return Set(waits.filter { $0.revents != 0 }.map(\.fd))
    }
}
