internal import Foundation
internal import RepositorySchema

/// A log of diagnostics in the Static Analysis Results Interchange Format (SARIF) 2.1.0, an OASIS
/// standard that code review services import.
///
/// The log has one run. Each diagnostic is a result, each note a related location of its result,
/// and each kind of diagnostic a rule. The help of a diagnostic is appended to its message.
struct SARIFLog: Sendable {
    /// The log as indented JSON.
    let text: String

    /// Creates the log of a run that read the schemas.
    init(_ diagnostics: [Diagnostic]) {
        self.init(
            results: diagnostics.map(Self.result), invocation: ["executionSuccessful": true])
    }

    /// Creates the log of a run that failed before it could report diagnostics.
    init(failure: String) {
        self.init(
            results: [],
            invocation: [
                "executionSuccessful": false,
                "toolExecutionNotifications": [
                    ["level": "error", "message": ["text": .string(failure)]]
                ],
            ])
    }

    /// Creates the log with its single run, which lists all rules of the generator.
    private init(results: [JSONValue], invocation: JSONValue) {
        let run: JSONValue = [
            "tool": [
                "driver": [
                    "name": "repository-generator",
                    "version": .string(ToolVersion.current),
                    "rules": .array(Diagnostic.Rule.allCases.map(Self.rule)),
                ]
            ],
            // Columns are counted in Unicode scalars.
            "columnKind": "unicodeCodePoints",
            "invocations": [invocation],
            "results": .array(results),
        ]
        let log: JSONValue = [
            "$schema":
                "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
            "version": "2.1.0",
            "runs": [run],
        ]
        text = String(log.indentedText.dropLast())
    }

    /// Returns the `reportingDescriptor` of a rule.
    private static func rule(_ rule: Diagnostic.Rule) -> JSONValue {
        [
            "id": .string(rule.rawValue),
            "shortDescription": ["text": .string(rule.summary)],
            "defaultConfiguration": ["level": .string(rule.severity.rawValue)],
        ]
    }

    /// Returns the `result` of a diagnostic.
    private static func result(_ diagnostic: Diagnostic) -> JSONValue {
        // A SARIF fix requires the replacement text of a region. A help text is for the reader of
        // the message, so it is appended to the message.
        let help = diagnostic.help.map { "; help: \($0)" } ?? ""
        let ruleIndex = Diagnostic.Rule.allCases.firstIndex(of: diagnostic.rule) ?? 0
        let notes = diagnostic.notes.enumerated().map { index, note in
            location(note.range, id: index + 1, message: note.message)
        }
        return .members([
            "ruleId": .string(diagnostic.rule.rawValue),
            "ruleIndex": .integer(ruleIndex),
            "level": .string(diagnostic.severity.rawValue),
            "message": ["text": .string(diagnostic.message + help)],
            "locations": [location(diagnostic.range)],
            "relatedLocations": notes.isEmpty ? nil : .array(notes),
        ])
    }

    /// Returns the `location` of a range. SARIF numbers lines and columns from 1, with an exclusive
    /// end.
    private static func location(
        _ range: SourceRange, id: Int? = nil, message: String? = nil
    ) -> JSONValue {
        .members([
            "id": id.map { .integer($0) },
            "physicalLocation": [
                "artifactLocation": ["uri": .string(uri(of: range.path))],
                "region": [
                    "startLine": .integer(range.start.line),
                    "startColumn": .integer(range.start.column),
                    "endLine": .integer(range.end.line),
                    "endColumn": .integer(range.end.column),
                ],
            ],
            "message": message.map { ["text": .string($0)] },
        ])
    }

    /// Returns a path as a URI reference (RFC 3986). An absolute path becomes a `file:` URI.
    private static func uri(of path: String) -> String {
        // A colon in the first segment would be parsed as the end of a scheme.
        let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: ":"))
        let encoded = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        return path.hasPrefix("/") ? "file://" + encoded : encoded
    }
}
