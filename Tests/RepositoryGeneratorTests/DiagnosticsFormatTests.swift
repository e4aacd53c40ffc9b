import Foundation
import RepositorySchema
import Testing

@testable import repository_generator

/// Diagnostics as programs read them, for every bad case of the corpus.
@Suite("diagnostics for programs")
struct DiagnosticsFormatTests {
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Reference/bad").standardizedFileURL
    private static let cases =
        ((try? FileManager.default.contentsOfDirectory(atPath: corpus.path)) ?? [])
        .filter { !$0.hasPrefix(".") }.sorted()

    /// A diagnostic as a line of JSON gives it.
    private struct Line: Decodable {
        struct Place: Decodable, Hashable { var line, column: Int }
        struct Span: Decodable, Hashable { var start, end: Place }
        struct Note: Decodable {
            var file: String
            var range: Span
            var message: String
        }
        var file: String
        var range: Span
        var severity: String
        var rule: String
        var message: String
        var help: String?
        var notes: [Note]
    }

    /// A log of SARIF: what is not optional here is required, by the format or by this tool.
    private struct Log: Decodable {
        struct Text: Decodable { var text: String }
        struct Region: Decodable { var startLine, startColumn, endLine, endColumn: Int }
        struct Artifact: Decodable { var uri: String }
        struct Physical: Decodable {
            var artifactLocation: Artifact
            var region: Region
        }
        struct Location: Decodable {
            var id: Int?
            var physicalLocation: Physical
            var message: Text?
        }
        struct Result: Decodable {
            var ruleId: String
            var ruleIndex: Int
            var level: String
            var message: Text
            var locations: [Location]
            var relatedLocations: [Location]?
        }
        struct Level: Decodable { var level: String }
        struct Rule: Decodable {
            var id: String
            var shortDescription: Text
            var defaultConfiguration: Level
        }
        struct Driver: Decodable {
            var name: String
            var rules: [Rule]
        }
        struct Component: Decodable { var driver: Driver }
        struct Notification: Decodable {
            var level: String
            var message: Text
        }
        struct Invocation: Decodable {
            var executionSuccessful: Bool
            var toolExecutionNotifications: [Notification]?
        }
        struct Run: Decodable {
            var tool: Component
            var columnKind: String
            var invocations: [Invocation]
            var results: [Result]
        }
        var version: String
        var runs: [Run]

        init(_ text: String) throws {
            self = try JSONDecoder().decode(Log.self, from: Data(text.utf8))
            #expect(text.contains(#""$schema": "https://docs.oasis-open.org/sarif/"#))
            #expect(version == "2.1.0")
            #expect(runs.count == 1)
        }
    }

    /// What is recorded of a case: the places and messages, without the path above the schema folder.
    private static func recorded(_ name: String) throws -> [String] {
        let url = corpus.appending(path: "\(name)/diagnostics.txt")
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
            .filter { $0.contains(#/^Schemas/.*:\d+:\d+: (error|warning): /#) }.map(String.init)
    }

    /// What a command prints about a case, and nothing is written.
    private static func output(
        of name: String, as format: DiagnosticsFormat,
        _ command: (Tool, Locations) -> repository_generator.ExitStatus = {
            $0.generate($1, force: false)
        }
    ) throws -> String {
        let shop = try Workshop([:])
        let folder = corpus.appending(path: name)
        let locations = Locations(
            schemas: folder.appending(path: "Schemas").path, output: shop.root.path + "/Out",
            module: "Reference")
        #expect(command(shop.tool(printing: format), locations) == .schemaErrors, "\(name)")
        #expect(shop.complaints.isEmpty, "\(name)")
        #expect(!shop.exists("Out"), "\(name)")
        return shop.output.replacing(folder.path + "/", with: "")
    }

    @Test("are one JSON object a line, for each bad case", arguments: cases)
    func lines(name: String) throws {
        let output = try Self.output(of: name, as: .json)
        #expect(try Self.output(of: name, as: .json) { $0.check($1) } == output)
        let lines = try output.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        let heads = try Self.recorded(name)
        #expect(lines.count == heads.count)
        for (line, head) in zip(lines, heads) {
            let start = line.range.start
            #expect(
                head.hasPrefix("\(line.file):\(start.line):\(start.column): \(line.severity): "))
            #expect((start.line, start.column) <= (line.range.end.line, line.range.end.column))
            #expect(Diagnostic.Rule(rawValue: line.rule) != nil)
            // What a terminal cannot show stands in the message as it is.
            if line.message.allSatisfy({ $0.isASCII }) { #expect(head.hasSuffix(line.message)) }
        }
        let recorded = try String(
            contentsOf: Self.corpus.appending(path: "\(name)/diagnostics.txt"), encoding: .utf8)
        #expect(lines.count { $0.help != nil } == recorded.matches(of: #/(?m)^help: /#).count)
        #expect(
            lines.reduce(0) { $0 + $1.notes.count }
                == recorded.matches(of: #/(?m)^Schemas/.*:\d+:\d+: note: /#).count)
    }

    @Test("are a SARIF log, for each bad case", arguments: cases)
    func log(name: String) throws {
        let output = try Self.output(of: name, as: .sarif)
        #expect(try Self.output(of: name, as: .sarif) { $0.check($1) } == output)
        let run = try #require(try Log(output).runs.first)
        #expect(run.tool.driver.name == "repository-generator")
        #expect(run.columnKind == "unicodeCodePoints")
        #expect(run.invocations.map(\.executionSuccessful) == [true])
        let rules = run.tool.driver.rules
        #expect(Set(rules.map(\.id)).count == rules.count)
        #expect(rules.allSatisfy { $0.shortDescription.text.hasSuffix(".") })
        let heads = try Self.recorded(name)
        #expect(run.results.count == heads.count)
        for (result, head) in zip(run.results, heads) {
            #expect(rules[result.ruleIndex].id == result.ruleId)
            #expect(["error", "warning"].contains(result.level))
            #expect(result.locations.count == 1)
            let location = try #require(result.locations.first?.physicalLocation)
            let region = location.region
            let parts = location.artifactLocation.uri.components(separatedBy: "Schemas/")
            let file = "Schemas/" + ((parts.last ?? "").removingPercentEncoding ?? "")
            #expect(head.hasPrefix("\(file):\(region.startLine):\(region.startColumn): "))
            #expect(region.startLine >= 1 && region.startColumn >= 1)
            #expect(
                (region.startLine, region.startColumn) <= (region.endLine, region.endColumn))
            for (index, note) in (result.relatedLocations ?? []).enumerated() {
                #expect(note.id == index + 1)
                #expect(note.message?.text.isEmpty == false)
            }
        }
    }

    @Test("name rules, helps and notes")
    func parts() throws {
        let shop = try Workshop([
            "A b.yaml": "entity: A\nfields: { x: Strng }\n", "C.yaml": "entity: A\nfeilds: {}\n",
            "D.yaml": "entity: D\ndoc: a\ndoc: b\n",
        ])
        #expect(shop.tool(printing: .json).generate(shop.locations, force: false) == .schemaErrors)
        let lines = try shop.output.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        #expect(lines.map(\.rule) == ["meaning", "meaning", "shape", "yaml"])
        #expect(lines[0].help == "did you mean 'String'?")
        #expect(lines[0].range.start == .init(line: 2, column: 14))
        #expect(lines[0].range.end == .init(line: 2, column: 19))
        #expect(lines[1].notes.map(\.file).first?.hasSuffix("/Schemas/A b.yaml") == true)
        shop.forget()
        #expect(shop.tool(printing: .sarif).check(shop.locations) == .schemaErrors)
        let results = try Log(shop.output).runs[0].results
        #expect(results.map(\.ruleId) == ["meaning", "meaning", "shape", "yaml"])
        #expect(results[0].message.text.hasSuffix("; help: did you mean 'String'?"))
        #expect(
            results[0].locations[0].physicalLocation.artifactLocation.uri
                .hasSuffix("/Schemas/A%20b.yaml"))
        #expect(results[1].relatedLocations?.count == 1)
    }

    @Test("leave standard output to the program that reads it")
    func standardOutput() throws {
        let shop = try Workshop()
        #expect(shop.tool(printing: .json).generate(shop.locations, force: false) == .success)
        #expect(shop.output.isEmpty)
        #expect(shop.complaints.hasSuffix("2 written, 0 deleted, 0 unchanged."))
        shop.forget()
        #expect(shop.tool(printing: .sarif).check(shop.locations) == .success)
        #expect(try Log(shop.output).runs[0].results.isEmpty)
        #expect(shop.complaints == "All 2 generated files are up to date.")
    }

    @Test("are a log also where the schemas cannot be read")
    func unreadable() throws {
        let shop = try Workshop([:])
        #expect(shop.tool(printing: .sarif).generate(shop.locations, force: false) == .unreadable)
        let run = try Log(shop.output).runs[0]
        #expect(run.results.isEmpty)
        #expect(run.invocations.map(\.executionSuccessful) == [false])
        let said = run.invocations[0].toolExecutionNotifications?.first
        #expect(said?.level == "error")
        #expect(said?.message.text == shop.complaints)
    }
}
