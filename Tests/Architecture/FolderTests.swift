import Foundation
import Testing

/// The folders of each module depend on each other in one direction.
@Suite("The folders of the sources")
struct FolderTests {
    static let package = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// All sources, read once for all tests.
    private static let files = Result { try SourceFile.all(below: "Sources", in: package) }

    /// The folders below `Sources` that hold Swift sources.
    static func modules(_ files: [SourceFile]) -> [String] {
        Set(files.map(\.module)).sorted()
    }

    @Test("depend on each other in one direction")
    func direction() throws {
        let files = try Self.files.get()
        let modules = Self.modules(files)
        #expect(modules.contains("RepositoryRuntime"))
        for module in modules {
            for cycle in FolderCycles.all(module, files) {
                Issue.record("In \(module), folders depend on each other in a circle.\n\(cycle)")
            }
        }
    }

    @Test("are described on the architecture pages")
    func descriptions() throws {
        let files = try Self.files.get()
        for module in FolderContents.pages.flatMap(\.modules) {
            let folders = FolderGraph(module, files).folders
            let described = (FolderContents.sentences[module] ?? [:]).keys.sorted()
            #expect(folders == described, "\(module): describe its folders in FolderContents.swift")
        }
    }

    @Test("are shown by the architecture pages", arguments: FolderContents.pages.map(\.catalog))
    func pages(_ catalog: String) throws {
        let files = try Self.files.get()
        let modules = FolderContents.pages.first { $0.catalog == catalog }?.modules ?? []
        let page = ArchitecturePage(modules, files)
        let folder = Self.package.appending(path: "Sources/\(catalog)/Documentation.docc")
        try Self.compare(page.text, with: folder.appending(path: "Architecture.md"))
        for (name, picture) in page.pictures.sorted(by: { $0.key < $1.key }) {
            try Self.compare(picture, with: folder.appending(path: "Resources/\(name)"))
        }
    }

    private static func compare(_ wanted: String, with file: URL) throws {
        if ProcessInfo.processInfo.environment["RECORD"] == "1" {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try wanted.write(to: file, atomically: true, encoding: .utf8)
        }
        let recorded = try? String(contentsOf: file, encoding: .utf8)
        // Not `#expect(recorded == wanted)`, which prints both.
        let isSame = recorded == wanted
        #expect(isSame, "\(file.lastPathComponent) is out of date: run 'make record'")
    }
}
