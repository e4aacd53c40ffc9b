import Foundation
import RepositoryRuntime
import Testing

/// Runs a body with a new folder, which is removed afterwards.
func withFolder<R>(_ body: (String) async throws -> R) async throws -> R {
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("sqlite-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder.path)
}

/// Expects a body to throw an error of a code, and of an id if one is given.
@discardableResult
func expectError(
    _ code: CRUDRepositoryError.Code, id: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async throws -> CRUDRepositoryError {
    do {
        try await body()
    } catch let error as CRUDRepositoryError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        if let id { #expect(error.id == id, sourceLocation: sourceLocation) }
        return error
    }
    struct Nothing: Error {}
    Issue.record("Nothing was thrown.", sourceLocation: sourceLocation)
    throw Nothing()
}

/// Names that SQL, a path, a format or a comparison would take for something else; no two differ in
/// ASCII case alone.
enum HostileNames {
    static let all: [String] = {
        let plain = [
            "", " ", "  ", "\t", "\n", "\r\n", "'", "\"", "\"\"", "`", "[", "]", "[a]", ";", "--",
            "/*", "*/",
            "\\", "/", ".", "..", "../x", "a.b", "main.a", "a\"b", "a'b", "a\"\"b",
            "a;DROP TABLE b", "%", "%00",
            "%2F", "?", "?1", "$1", ":a", "@a", "#", "a,b", "(a)", "a b", "select", "table",
            "order", "group",
            "index", "null", "rowid", "oid", "_rowid_", "é", "e\u{301}", "ß", "ẞ", "İ", "ı",
            "\u{C5}", "\u{212B}", "A\u{30A}",
            "\u{200B}", "\u{202E}abc", "\u{FEFF}", "👩‍👩‍👧", "日本", "\u{1}", "\u{7F}", "\u{10FFFF}",
            "\"\u{301}", "'\u{301}", "\"; DROP TABLE t; --", "');--", "x'00'", "0x10", "1", "1e5",
            "-1",
            "true", "-inf", "temp.a", "a\u{0}".replacing("\u{0}", with: "␀"), "COM1", "nul",
            "con.txt",
        ]
        let generated = (0x20..<0x7F).compactMap { Unicode.Scalar(UInt8($0)) }
            .filter { !("A"..."Z").contains($0) }.map { "n\($0)n" }
        let long = (1...60).map { String(repeating: "ü\"", count: $0 * 10) }
        return plain + generated + long
    }()
}
