internal import Foundation

extension Tool {
    /// Generates, and again after every change, until it is told to end.
    func watch(_ locations: Locations, force: Bool) -> ExitStatus {
        reporting {
            let stop = try StopSignals()
            // Changes during the first run are changes already.
            let watcher = Watcher(
                [locations.schemas] + [locations.templates].compactMap { $0 }, until: stop)
            let memory = RunMemory()
            var status = generate(locations, force: force, memory: memory) { say($0) }
            say("Watching \(locations.schemas).")
            fflush(nil)
            while watcher.nextChange() {
                status = generateAgain(locations, force: force, memory, after: status)
                fflush(nil)
            }
            return .success
        }
    }

    /// Generates after a change: one line for what was done, or what is wrong.
    private func generateAgain(
        _ locations: Locations, force: Bool, _ memory: RunMemory, after last: ExitStatus
    ) -> ExitStatus {
        let clock = ContinuousClock()
        let start = clock.now
        var lines: [String] = []
        let status = generate(locations, force: force, memory: memory) { lines.append($0) }
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

    /// How many files are named in a line; of more only the numbers are said.
    private static let longestList = 3

    /// Takes what was wrong off a terminal.
    private func clearScreen() {
        guard isatty(STDOUT_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return }
        say("\u{1B}[H\u{1B}[2J")
    }
}
