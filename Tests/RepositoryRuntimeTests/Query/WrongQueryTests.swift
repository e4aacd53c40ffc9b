import Foundation
import Testing

/// What the compiler says to a wrong query or update: an error at its place, after little work.
///
/// The work is counted in scopes of the constraint solver, which are the same on every machine; a thousand take about
/// ten milliseconds.
@Suite("Wrong queries do not compile")
struct WrongQueryTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let code: String
        /// What is wrong, as it stands in the code.
        let place: String
        let message: String
        let scopes: Int
        var testDescription: String { code }

        init(_ code: String, at place: String, _ message: String, scopes: Int = 6_000) {
            self.code = code
            self.place = place
            self.message = message
            self.scopes = scopes
        }
    }

    static let conditions = [
        Case("$0.pagse > 300", at: "pagse", "has no member 'pagse'"),
        Case("$0.pages > \"x\"", at: "\"x\"", "cannot convert value of type 'String'"),
        Case("$0.title == 3", at: "3", "cannot convert value of type 'Int'"),
        Case("$0.status == .avaliable", at: "avaliable", "has no member 'avaliable'"),
        Case("$0.shelf.rom == \"B\"", at: "rom", "'rom'"),
        Case(
            "$0.pages > 300 && $0.status == .avaliable && $0.title == \"x\"", at: "avaliable",
            "has no member 'avaliable'"),
    ].map { Case("books.count { \($0.code) }", at: $0.place, $0.message, scopes: $0.scopes) }

    static let updates = [
        Case("$0.pages -= \"x\"", at: "\"x\"", "cannot convert value of type 'String'"),
        Case("$0.title = 3", at: "3", "cannot assign value of type 'Int' to type 'String'"),
        Case("$0.title = nil", at: "nil", "'nil' cannot be assigned to type 'String'"),
        Case("$0.titel = \"x\"", at: "titel", "has no dynamic member 'titel'"),
        Case("$0.status = .withdrwan", at: "withdrwan", "has no member 'withdrwan'"),
        Case("$0.shelf.rom = \"B\"", at: "rom", "has no dynamic member 'rom'"),
        Case("$0.tags.append(1)", at: "1", "cannot convert value of type 'Int'"),
        Case("$0.isbn = \"x\"", at: "$0.isbn", "the id of a record cannot be changed"),
        Case("$0.id = \"x\"", at: "$0.id", "the id of a record cannot be changed"),
        Case("$0.title = $0.title + \"x\"", at: "$0.title +", "cannot read their fields"),
    ].map { Case("books.updateAll(.all) { \($0.code) }", at: $0.place, $0.message) }

    static let others = [
        Case("books.project(\\.titel)", at: "\\.titel", "has no member 'titel'"),
        Case("books.group(by: \\.status, .sum(of: \\.title))", at: "sum(of", "'NumericFieldValue'"),
        Case("books.sum(of: \\.title)", at: "sum", "'NumericFieldValue'"),
    ]

    @Test(arguments: conditions + updates + others)
    func isRefused(_ wrong: Case) throws {
        let result = try Compiler.check("    _ = try await \(wrong.code)")
        let text = "\(result.errors)"
        // Of a misspelt field the compiler may also say what it cannot be compared with.
        #expect((1...2).contains(result.errors.count), "\(text)")
        let place = try #require(result.line.range(of: wrong.place))
        let column = result.line.distance(from: result.line.startIndex, to: place.lowerBound) + 1
        let error = try #require(result.errors.first { $0.column == column }, "\(text)")
        #expect(error.message.contains(wrong.message), "\(text)")
        #expect(result.scopes < wrong.scopes)
    }

    /// One file with a mistake in each line: its place, and what the compiler must name.
    private static let file = [
        (".fetch(.where { $0.titel == \"x\" })", "titel", "has no member 'titel'"),
        (".fetchOne(.where { $0.titel == \"x\" })", "titel", "has no member 'titel'"),
        (".ids(.where { $0.titel == \"x\" })", "titel", "has no member 'titel'"),
        (".page(.where { $0.titel == \"x\" })", "titel", "has no member 'titel'"),
        (".count(.where { $0.titel == \"x\" })", "titel", "has no member 'titel'"),
        (".exists { $0.titel == \"x\" }", "titel", "has no member 'titel'"),
        (
            ".fetch(.where { $0.titel == \"x\" && $0.pages > 3 && $0.subtitle != nil && $0.status == .available })",
            "titel", "has no member 'titel'"
        ),
        (".fetch(.where { $0.pages > \"x\" })", "\"x\"", "cannot convert value of type 'String'"),
        (".fetch(.where { $0.title == 3 })", "3", "cannot convert value of type 'Int'"),
        (".fetch(.where { $0.status == .avaliable })", "avaliable", "has no member 'avaliable'"),
        (".fetch(.where { $0.shelf.rom == \"B\" })", "rom", "'rom'"),
        (".fetch(.where { $0.author.nam == \"B\" })", "nam", "'nam'"),
        (".fetch(.where { $0.title })", "title", "'Condition'"),
        (".fetch(.sorted(by: \\.titel))", "\\.titel", "has no member 'titel'"),
        (".fetch(.where { $0.pages > 3 }.limit(\"3\"))", "\"3\"", "'String'"),
        (".fetch(.where { $0.titel == \"x\" }, loading: \\.author)", "titel", "'titel'"),
    ]

    private static let observations = [
        (".observe(.where { $0.titel == \"x\" })", "titel", "has no member 'titel'"),
        (".observeCount(.where { $0.titel == \"x\" })", "titel", "has no member 'titel'"),
        (".changes(.where { $0.titel == \"x\" })", "titel", "has no member 'titel'"),
        (".group(by: \\.status, .count, from: .where { $0.titel == \"x\" })", "titel", "'titel'"),
        (
            ".sum(of: \\.pages, from: .where { $0.titel == \"x\" })", "titel",
            "has no member 'titel'"
        ),
    ]

    @Test(arguments: [file, observations])
    func eachIsNamedInOneFile(_ file: [(String, String, String)]) throws {
        let lines = file.map { wrong in
            let isObserved = wrong.0.hasPrefix(".observe") || wrong.0.hasPrefix(".changes")
            return "    _ = \(isObserved ? "" : "try await ")books\(wrong.0)"
        }
        let result = try Compiler.check(lines.joined(separator: "\n"))
        for (index, (wrong, line)) in zip(file, lines).enumerated() {
            let errors = result.errors.filter { $0.line == index }
            let text = "\(line): \(errors)"
            let place = try #require(line.range(of: wrong.1))
            let column = line.distance(from: line.startIndex, to: place.lowerBound) + 1
            let error = errors.first { $0.column == column && $0.message.contains(wrong.2) }
            #expect(error != nil, "\(text)")
            #expect((1...2).contains(errors.count), "\(text)")
        }
        // Without the names of the fields, a condition of four terms took a million scopes.
        #expect(result.scopes < 30_000)
    }

    @Test func rightOnesCompile() throws {
        let result = try Compiler.check(
            "    _ = try await books.updateAll(where: { $0.pages > 3 && $0.status == .onLoan }) { $0.pages -= 1 }"
        )
        #expect(result.errors.isEmpty, "\(result.errors)")
        #expect(result.scopes < 1_000)
    }
}

/// The compiler over lines that use the generated repository of books.
private enum Compiler {
    struct Failure: Error { let output: String }

    struct Result {
        let line: String
        var errors: [(line: Int, column: Int, message: String)] = []
        var scopes = 0
    }

    static func check(_ lines: String) throws -> Result {
        let folder = TemporaryFolder()
        let source = folder.url.appendingPathComponent("Wrong.swift")
        let statistics = folder.url.appendingPathComponent("statistics")
        try FileManager.default.createDirectory(
            at: statistics, withIntermediateDirectories: true)
        let text = """
            import Foundation
            import Generated
            import RepositoryRuntime
            func use(_ books: BookRepository) async throws {
            \(lines)
            }

            """
        try Data(text.utf8).write(to: source)
        let build = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "swiftc", "-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm",
            "-I", build.appendingPathComponent("Modules").path,
            // A module of C beneath the runtime, which the package manager finds by itself.
            "-I", sources.appendingPathComponent("CFileAccess/include").path,
            "-stats-output-dir", statistics.path, source.path,
        ]
        let output = Pipe()
        process.standardError = output
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let said = String(
            decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        var result = Result(line: lines)
        for text in said.split(separator: "\n") {
            // path:line:column: error: message
            guard let range = text.range(of: ": error: ") else { continue }
            let place = text[..<range.lowerBound].split(separator: ":")
            guard place.count >= 3, let line = Int(place[place.count - 2]), line >= 5,
                let column = place.last.flatMap({ Int($0) })
            else { throw Failure(output: said) }
            result.errors.append((line - 5, column, String(text[range.upperBound...])))
        }
        if process.terminationStatus != 0, result.errors.isEmpty { throw Failure(output: said) }
        for file in try FileManager.default.contentsOfDirectory(
            at: statistics, includingPropertiesForKeys: nil)
        {
            let counts = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
            if let scopes = (counts as? [String: Any])?["Sema.NumConstraintScopes"] as? NSNumber {
                result.scopes += scopes.intValue
            }
        }
        return result
    }
}
