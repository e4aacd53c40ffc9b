import CSQLite
import Foundation
import Testing

/// The corpus of databases beside this file: a folder for each, with the SQL that makes it and what
/// its import gives.
enum Corpus {
    /// The folder of the corpus.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus")

    /// Whether expected files are to be written anew.
    static let isRecording = ProcessInfo.processInfo.environment["REFERENCE_RECORD"] == "1"

    /// The names of the cases, in order.
    static let cases: [String] = {
        let names = try? FileManager.default.contentsOfDirectory(atPath: root.path)
        return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
    }()

    /// Returns the SQL of a case.
    static func sql(_ name: String) throws -> String {
        try String(contentsOf: root.appending(path: "\(name)/database.sql"), encoding: .utf8)
    }
}

/// A temporary folder with a database.
final class DatabaseFolder {
    let root = FileManager.default.temporaryDirectory.appending(path: "import-\(UUID().uuidString)")
    private var connection: OpaquePointer?

    /// - Parameters:
    ///   - sql: the statements that make it.
    ///   - name: the name of the file.
    init(_ sql: String, name: String = "test.db") throws {
        path = root.appending(path: name).path
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        try #require(sqlite3_open(path, &connection) == SQLITE_OK)
        try run(sql)
    }

    /// The path of the database.
    let path: String

    deinit {
        close()
        try? FileManager.default.removeItem(at: root)
    }

    /// Runs statements.
    func run(_ sql: String) throws {
        var message: UnsafeMutablePointer<CChar>?
        let code = sqlite3_exec(connection, sql, nil, nil, &message)
        let reason = message.map { String(cString: $0) } ?? ""
        sqlite3_free(message)
        try #require(code == SQLITE_OK, "\(reason)")
    }

    /// Runs a statement that may fail.
    func tryToRun(_ sql: String) { sqlite3_exec(connection, sql, nil, nil, nil) }

    /// Closes the connection.
    func close() {
        sqlite3_close(connection)
        connection = nil
    }

    /// Returns the bytes of every file of the folder.
    func bytes() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: root.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, try Data(contentsOf: root.appending(path: $0)))
            })
    }
}
