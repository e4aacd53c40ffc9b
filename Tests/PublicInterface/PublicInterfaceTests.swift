import Foundation
import Testing

/// The public declarations of the libraries are those of the committed lists, so that a review sees what a change does
/// to them.
@Suite("The public interface")
struct PublicInterfaceTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    private static let modules: [String] = {
        var modules = [
            "RepositoryCoreData", "RepositoryMoving", "RepositoryObservation", "RepositoryRealm",
            "RepositoryRuntime", "RepositorySQL", "RepositorySQLite", "RepositoryTesting",
        ]
        // Without their traits, these modules are empty.
        #if PostgreSQL
            modules.append("RepositoryPostgreSQL")
        #endif
        #if Compression
            modules.append("RepositoryCompression")
        #endif
        #if Encryption
            modules.append("RepositoryEncryption")
        #endif
        return modules
    }()

    #if os(Linux)
        @Test(
            "is that of the committed list",
            .enabled(if: PublicInterface.tool != nil, "needs swift-symbolgraph-extract in PATH"),
            arguments: Self.modules)
        func isRecorded(_ module: String) throws {
            let tool = try #require(PublicInterface.tool)
            let sources = Self.folder.appending(path: "../../Sources").standardizedFileURL
            let interface = try PublicInterface(of: module, sources: sources, with: tool)
            #expect(interface.lines.count > 5)
            let file = Self.folder.appending(path: "\(module).txt")
            if ProcessInfo.processInfo.environment["RECORD"] == "1" {
                try interface.list.write(to: file, atomically: true, encoding: .utf8)
            }
            let recorded = PublicInterface(list: try String(contentsOf: file, encoding: .utf8))
            let differences = interface.differences(from: recorded)
            #expect(
                differences.isEmpty,
                """
                The public interface of \(module) has changed. If that is meant, run 'make record' and name the \
                change in CHANGELOG.md.
                \(differences.joined(separator: "\n"))
                """)
        }
    #endif

    /// A graph of a struct with a method and a conformance.
    private static func interface(
        method: String, conformance: String = "Swift.Sendable", constraint: String? = nil
    ) throws -> PublicInterface {
        let place = constraint.map {
            #", "swiftExtension": {"constraints": [{"kind": "conformance", "lhs": "Self", "rhs": "\#($0)"}]}"#
        }
        let graph = """
            {
                "symbols": [
                    {
                        "kind": {"identifier": "swift.struct"}, "identifier": {"precise": "s:1"},
                        "pathComponents": ["Store"],
                        "declarationFragments": [{"spelling": "struct"}, {"spelling": " "}, {"spelling": "Store"}]
                    },
                    {
                        "kind": {"identifier": "swift.method"}, "identifier": {"precise": "s:2"},
                        "pathComponents": ["Store", "open(_:)"],
                        "declarationFragments": [{"spelling": "\(method)"}]\(place ?? "")
                    }
                ],
                "relationships": [
                    {
                        "kind": "conformsTo", "source": "s:1", "target": "s:9",
                        "targetFallback": "\(conformance)"
                    },
                    {
                        "kind": "conformsTo", "source": "s:1", "target": "s:10",
                        "targetFallback": "Swift.Copyable"
                    }
                ]
            }
            """
        return try PublicInterface(graphs: [Data(graph.utf8)])
    }

    @Test("is a sorted line for each declaration and conformance")
    func lines() throws {
        let interface = try Self.interface(
            method: "func open(_ path: String)", constraint: "Entity")
        #expect(
            interface.list == """
                Store.open(_:): func open(_ path: String) [extension where Self : Entity]
                Store: conforms to Swift.Sendable
                Store: struct Store

                """)
        #expect(PublicInterface(list: interface.list) == interface)
    }

    @Test("differs where a declaration or a conformance changes")
    func differences() throws {
        let old = try Self.interface(method: "func open(_ path: String)")
        #expect(old.differences(from: old).isEmpty)
        let changed = try Self.interface(method: "func open(_ path: String) throws")
        #expect(
            changed.differences(from: old) == [
                "- Store.open(_:): func open(_ path: String)",
                "+ Store.open(_:): func open(_ path: String) throws",
            ])
        let other = try Self.interface(
            method: "func open(_ path: String)", conformance: "Swift.Hashable")
        #expect(
            other.differences(from: old) == [
                "+ Store: conforms to Swift.Hashable", "- Store: conforms to Swift.Sendable",
            ])
        let removed = PublicInterface(list: "Store: struct Store\n")
        #expect(removed.differences(from: old).allSatisfy { $0.hasPrefix("- ") })
        #expect(removed.differences(from: old).count == 2)
    }
}
