import Foundation
import PostgreSQLAPI
import RepositoryRuntime

/// The functions of libpq as somebody would call them who writes them out for this one record, and
/// waits for each answer.
///
/// One thread at a time uses a connection, which is why the conformance to `Sendable` is valid.
final class RawPostgreSQL: @unchecked Sendable {
    private let handle: OpaquePointer

    /// A failure of the server or of libpq.
    struct Failure: Error {
        let message: String
    }

    static let columns = "id, station, quantity, note, count, value, is_valid, taken_at"

    /// Connects to the schema of the benchmarks.
    init(_ address: String) throws {
        guard let handle = PQconnectdb(address), PQstatus(handle) == CONNECTION_OK else {
            throw Failure(message: "no connection")
        }
        self.handle = handle
        try execute("SET client_min_messages = warning")
        try execute("SET search_path TO benchmarks")
    }

    deinit { PQfinish(handle) }

    func execute(_ text: String) throws {
        let result = PQexec(handle, text)
        defer { PQclear(result) }
        try check(result)
    }

    func prepare(_ name: String, _ text: String) throws {
        let result = PQprepare(handle, name, text, 0, nil)
        defer { PQclear(result) }
        try check(result)
    }

    private func check(_ result: OpaquePointer?) throws {
        let status = PQresultStatus(result)
        guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_COPY_IN
        else { throw Failure(message: String(cString: PQerrorMessage(handle))) }
    }

    /// Runs a prepared statement with text parameters, and gives its binary result.
    private func run(_ name: String, _ values: [String]) throws -> OpaquePointer {
        let texts = values.map { strdup($0) }
        defer { for text in texts { free(text) } }
        let result = texts.map { UnsafePointer($0) }.withUnsafeBufferPointer {
            PQexecPrepared(handle, name, Int32(values.count), $0.baseAddress, nil, nil, 1)
        }
        do {
            try check(result)
        } catch {
            PQclear(result)
            throw error
        }
        guard let result else { throw Failure(message: "no result") }
        return result
    }

    /// Reads a record by `SELECT … WHERE id = $1`, prepared as "read".
    func read(_ id: String) throws -> Reading {
        let result = try run("read", [id])
        defer { PQclear(result) }
        guard PQntuples(result) == 1 else { throw Failure(message: "no record") }
        return Self.reading(result, 0)
    }

    /// Reads all records, by a statement prepared as "fetch".
    func fetch() throws -> [Reading] {
        let result = try run("fetch", [])
        defer { PQclear(result) }
        return (0..<PQntuples(result)).map { Self.reading(result, $0) }
    }

    /// Reads records in pipeline mode: 16 share a Sync, and two groups are under way.
    func readPipelined(_ ids: [String], _ body: (Reading) -> Void) throws {
        guard PQenterPipelineMode(handle) == 1 else { throw Failure(message: "no pipeline") }
        var (sent, received) = (0, 0)
        while received < ids.count {
            while sent < ids.count, sent - received < 32 {
                for id in ids[sent..<min(sent + 16, ids.count)] {
                    let isSent = id.withCString { text in
                        var values: UnsafePointer<CChar>? = text
                        return PQsendQueryPrepared(handle, "read", 1, &values, nil, nil, 1)
                    }
                    guard isSent == 1 else { throw Failure(message: "not sent") }
                }
                guard PQpipelineSync(handle) == 1 else { throw Failure(message: "not sent") }
                sent = min(sent + 16, ids.count)
            }
            for _ in 0..<min(16, ids.count - received) {
                let result = PQgetResult(handle)
                try check(result)
                if let result { body(Self.reading(result, 0)) }
                PQclear(result)
                // A null result ends the answers to each statement.
                PQclear(PQgetResult(handle))
            }
            PQclear(PQgetResult(handle))
            received = min(received + 16, ids.count)
        }
        guard PQexitPipelineMode(handle) == 1 else { throw Failure(message: "no end") }
    }

    /// Counts the bytes of all records in the order of their ids, by `COPY`.
    func copyOut() throws -> Int {
        let result = PQexec(
            handle,
            "COPY (SELECT \(Self.columns) FROM readings ORDER BY id) TO STDOUT (FORMAT binary)")
        let status = PQresultStatus(result)
        PQclear(result)
        guard status == PGRES_COPY_OUT else { throw Failure(message: "no copy") }
        var bytes = 0
        var row: UnsafeMutablePointer<CChar>?
        while true {
            let count = PQgetCopyData(handle, &row, 0)
            if count <= 0 { break }
            bytes += Int(count)
            PQfreemem(row)
        }
        while let result = PQgetResult(handle) {
            defer { PQclear(result) }
            try check(result)
        }
        return bytes
    }

    static let insert =
        "INSERT INTO readings (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"

    /// Stores a record by ``insert``, prepared as "create".
    func create(_ reading: Reading) throws { PQclear(try run("create", Self.texts(reading))) }

    /// Stores records by `COPY`, as text.
    func copy(_ readings: [Reading]) throws {
        try execute("COPY readings (\(Self.columns)) FROM STDIN")
        for reading in readings {
            var line = Self.texts(reading).joined(separator: "\t") + "\n"
            let code = line.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    PQputCopyData(handle, $0.baseAddress, Int32($0.count))
                }
            }
            guard code == 1 else { throw Failure(message: "the copy ended") }
        }
        guard PQputCopyEnd(handle, nil) == 1 else { throw Failure(message: "the copy ended") }
        while let result = PQgetResult(handle) {
            defer { PQclear(result) }
            try check(result)
        }
    }

    private static func texts(_ reading: Reading) -> [String] {
        [
            reading.id.rawValue, reading.station, reading.quantity, reading.note,
            "\(reading.count)", "\(reading.value)", reading.isValid ? "t" : "f",
            text(reading.takenAt),
        ]
    }

    /// A date of whole seconds as text.
    private static func text(_ date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var buffer = [CChar](repeating: 0, count: 32)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%d %H:%M:%S+00", &parts)
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func text(_ result: OpaquePointer, _ row: Int32, _ column: Int32) -> String {
        let count = Int(PQgetlength(result, row, column))
        let start = UnsafeRawPointer(PQgetvalue(result, row, column))
        return String(
            decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }

    private static func integer(_ result: OpaquePointer, _ row: Int32, _ column: Int32) -> Int64 {
        let start = UnsafeRawPointer(PQgetvalue(result, row, column))
        return start.map { Int64(bigEndian: $0.loadUnaligned(as: Int64.self)) } ?? 0
    }

    private static func reading(_ result: OpaquePointer, _ row: Int32) -> Reading {
        // From 1970 to PostgreSQL's year 2000.
        let micros = integer(result, row, 7) + 946_684_800_000_000
        return Reading(
            id: Reading.ID(text(result, row, 0)), station: text(result, row, 1),
            quantity: text(result, row, 2), note: text(result, row, 3),
            count: Int(integer(result, row, 4)),
            value: Double(bitPattern: UInt64(bitPattern: integer(result, row, 5))),
            isValid: PQgetvalue(result, row, 6)?.pointee == 1,
            takenAt: StoredDate.date(microseconds: micros))
    }
}
