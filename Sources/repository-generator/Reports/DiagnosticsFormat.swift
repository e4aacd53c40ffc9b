internal import ArgumentParser

/// The format in which diagnostics are printed.
enum DiagnosticsFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// Text for people, to standard error: `path:line:column: error: message`, the source line and
    /// a caret.
    case text
    /// One JSON object per line, to standard output.
    case json
    /// A SARIF 2.1.0 log, to standard output.
    case sarif

    /// Whether standard output is reserved for diagnostics. Messages for people are then printed to
    /// standard error.
    var takesOutput: Bool { self != .text }
}
