internal import Foundation

/// PostgreSQL's client `psql`, which runs queries and writes their values.
///
/// The address is an argument of the program, which other users of the machine can see. Therefore
/// the password is in its environment.
struct PsqlProgram {
    let address: ServerAddress

    /// Runs a script in one read-only transaction on one state of the database.
    ///
    /// - Returns: the values of all rows of all queries. Text of PostgreSQL contains no U+0000,
    ///   which separates them.
    /// - Throws: ``ImportProblem`` if there is no `psql`, or with the first line of its complaint.
    func values(_ script: String) throws(ImportProblem) -> [String] {
        let path =
            address.schema.map { "SET LOCAL search_path TO \(Self.quoted($0)), pg_catalog;\n" }
            ?? ""
        let begin = "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY;\n"
        let output = try run(begin + path + script + "\nCOMMIT;\n")
        var values = output.split(separator: 0, omittingEmptySubsequences: false)
        if values.last?.isEmpty == true { values.removeLast() }
        return values.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns a quoted name.
    static func quoted(_ name: String) -> String {
        "\"\(name.replacing("\"", with: "\"\""))\""
    }

    /// Runs the program and returns its output.
    private func run(_ script: String) throws(ImportProblem) -> Data {
        guard let executable = Self.executable else {
            throw problem(
                "is read by PostgreSQL's client 'psql', which is not there; install it "
                    + "(Debian: postgresql-client, Homebrew: libpq) and put it on the PATH")
        }
        let process = Process()
        process.executableURL = executable
        // Without the settings of the user, and without questions.
        process.arguments = [
            "-X", "-q", "-A", "-t", "-w", "-z", "-0", "-v", "ON_ERROR_STOP=1", "-d", address.shown,
            "-c", script,
        ]
        process.environment = environment
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        let (text, complaint): (Data, Data)
        do {
            try process.run()
            text = try output.fileHandleForReading.readToEnd() ?? Data()
            // The program writes a few lines at most, so that the pipe holds them.
            complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
        } catch {
            throw problem("cannot be read: psql: \(error.localizedDescription)")
        }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw problem(Self.reason(complaint)) }
        return text
    }

    /// The program, in the folders of the `PATH`.
    private static var executable: URL? {
        let folders = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return folders.split(separator: ":").map { URL(filePath: "\($0)/psql") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    /// The variables of this program, and those that the client reads.
    private var environment: [String: String] {
        var variables = ProcessInfo.processInfo.environment
        variables["PGCLIENTENCODING"] = "UTF8"
        variables["PGOPTIONS", default: ""] += " -c statement_timeout=60s"
        if let password = address.password { variables["PGPASSWORD"] = password }
        if variables["PGCONNECT_TIMEOUT"] == nil { variables["PGCONNECT_TIMEOUT"] = "10" }
        return variables
    }

    private func problem(_ reason: String) -> ImportProblem {
        ImportProblem(path: address.shown, reason: reason)
    }

    /// Returns the first line of what the program has written, without its own name.
    private static func reason(_ complaint: Data) -> String {
        let lines = String(decoding: complaint, as: UTF8.self).split(separator: "\n")
        let first = lines.first.map(String.init) ?? "psql failed and said nothing"
        return "cannot be read: "
            + first.replacing("psql: error: ", with: "").replacing("ERROR:  ", with: "")
    }
}
