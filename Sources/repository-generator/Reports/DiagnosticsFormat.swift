internal import ArgumentParser

/// How diagnostics are printed.
enum DiagnosticsFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// For people, to standard error: `path:line:column: error: message`, the source line and a caret.
    case text
    /// One JSON object a line, to standard output.
    case json
    /// A SARIF 2.1.0 log, to standard output.
    case sarif

    /// Whether standard output belongs to a program that reads diagnostics; people are told what was done on standard error then.
    var takesOutput: Bool { self != .text }
}
