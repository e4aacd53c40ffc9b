internal import RepositorySchema
internal import RepositorySchemaParser

/// What is wrong with a set of schemas, in the forms that it can be printed in.
struct DiagnosticReport: Sendable {
    /// What is wrong, in the order of the files.
    let diagnostics: [Diagnostic]
    /// The bytes of the files that diagnostics may name, by their paths.
    private let sources: [(path: String, bytes: [UInt8])]

    /// Makes a report about schemas.
    init(_ diagnostics: [Diagnostic], in sources: [SchemaSource]) {
        self.init(diagnostics, in: sources.map { ($0.displayPath, $0.bytes) })
    }

    private init(_ diagnostics: [Diagnostic], in sources: [(path: String, bytes: [UInt8])]) {
        self.diagnostics = DiagnosticText.sorted(diagnostics)
        self.sources = sources
    }

    /// The report with more to say, about more files.
    func adding(
        _ more: [Diagnostic], in files: [(path: String, bytes: [UInt8])]
    ) -> DiagnosticReport {
        DiagnosticReport(diagnostics + more, in: sources + files)
    }

    /// Whether something keeps the output from being made.
    var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// The text for people; empty when nothing is wrong.
    var text: String {
        guard !diagnostics.isEmpty else { return "" }
        let named = Set(diagnostics.flatMap { [$0.range.path] + $0.notes.map(\.range.path) })
        let texts = sources.filter { named.contains($0.path) }.map {
            ($0.path, SourceText(bytes: $0.bytes))
        }
        let renderer = DiagnosticText(
            sources: Dictionary(texts, uniquingKeysWith: { first, _ in first }))
        let noun = hasErrors ? "problem" : "warning"
        let count = diagnostics.count == 1 ? "1 \(noun)" : "\(diagnostics.count) \(noun)s"
        let end = hasErrors ? "\(count) found; nothing was written." : "\(count)."
        return renderer.render(diagnostics) + "\n" + end
    }

    /// The text for programs; nil where there is nothing to print.
    func text(as format: DiagnosticsFormat) -> String? {
        switch format {
        case .text: diagnostics.isEmpty ? nil : text
        case .json:
            diagnostics.isEmpty ? nil : diagnostics.map(\.json.text).joined(separator: "\n")
        case .sarif: SARIFLog(diagnostics).text
        }
    }
}

extension Diagnostic {
    /// The diagnostic as programs read it. Lines and columns count from 1, columns in Unicode scalars; an
    /// end is the position after.
    var json: JSONValue {
        [
            "file": .string(range.path), "range": range.json,
            "severity": .string(severity.rawValue), "rule": .string(rule.rawValue),
            "message": .string(message), "help": JSONValue(help),
            "notes": .array(
                notes.map {
                    [
                        "file": .string($0.range.path), "range": $0.range.json,
                        "message": .string($0.message),
                    ]
                }),
        ]
    }
}

extension SourceRange {
    fileprivate var json: JSONValue { ["start": start.json, "end": end.json] }
}

extension SourcePosition {
    fileprivate var json: JSONValue { ["line": .integer(line), "column": .integer(column)] }
}
