internal import Foundation
internal import RepositorySchema

/// Diagnostics as a log of the Static Analysis Results Interchange Format, version 2.1.0 (OASIS), which
/// services that review code take in.
struct SARIFLog: Sendable {
    /// The log, on several lines.
    let text: String

    /// Makes the log of a run that read the schemas.
    init(_ diagnostics: [Diagnostic]) {
        self.init(
            results: diagnostics.map(Self.result), invocation: ["executionSuccessful": true])
    }

    /// Makes the log of a run that could not.
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

    private static func rule(_ rule: Diagnostic.Rule) -> JSONValue {
        [
            "id": .string(rule.rawValue),
            "shortDescription": ["text": .string(rule.summary)],
            "defaultConfiguration": ["level": .string(rule.severity.rawValue)],
        ]
    }

    private static func result(_ diagnostic: Diagnostic) -> JSONValue {
        // A fix of SARIF needs the new text of a region: a help is for the person who reads the message.
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

    /// A path as a reference of RFC 3986; one that begins at the root is a `file:` URI.
    private static func uri(of path: String) -> String {
        // A colon in the first part would end the scheme.
        let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: ":"))
        let encoded = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        return path.hasPrefix("/") ? "file://" + encoded : encoded
    }
}
