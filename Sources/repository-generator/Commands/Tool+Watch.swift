internal import Foundation

extension Tool {
    /// Generates, and again after every change, until a stop signal arrives.
    func watch(_ locations: Locations, force: Bool) -> ExitStatus {
        reporting {
            let stop = try StopSignals()
            // The watcher starts first, so that changes during the first run are detected.
            let watcher = Watcher(
                [locations.schemas] + [locations.templates].compactMap { $0 }, until: stop)
            let cache = WatchCache()
            var status = generate(locations, force: force, cache: cache) { say($0) }
            say("Watching \(locations.schemas).")
            fflush(nil)
            while watcher.nextChange() {
                status = generateAgain(locations, force: force, cache, after: status)
                fflush(nil)
            }
            return .success
        }
    }

    /// Generates after a change. If it succeeds, it prints one line with the changed files and the
    /// duration.
    private func generateAgain(
        _ locations: Locations, force: Bool, _ cache: WatchCache, after last: ExitStatus
    ) -> ExitStatus {
        let clock = ContinuousClock()
        let start = clock.now
        var lines: [String] = []
        let status = generate(locations, force: force, cache: cache) { lines.append($0) }
        guard status == .success else { return status }
        let isMended = last != .success
        if isMended { clearScreen() }
        let touched = lines.dropLast()
        let isShort = (1...Self.longestList).contains(touched.count)
        let text = isShort ? touched.joined(separator: ", ") : lines.last ?? ""
        let duration = Int(((clock.now - start) / .milliseconds(1)).rounded(.up))
        say("\(isMended ? "Mended: " : "")\(text) (\(duration) ms)")
        return status
    }

    /// The maximum number of files that the line names. For more files it contains only their
    /// numbers.
    private static let longestList = 3

    /// Clears the problems of earlier runs from a terminal.
    private func clearScreen() {
        guard isatty(STDOUT_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return }
        say("\u{1B}[H\u{1B}[2J")
    }
}
