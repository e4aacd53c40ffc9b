import Foundation
import Testing

@testable import repository_generator

/// What is remembered of a run, and that it never hides work.
@Suite("run cache")
struct RunCacheTests {
    private static let note = "Generated/Note.generated.swift"
    private static let nothing = "0 written, 0 deleted, 2 unchanged."

    /// A shop whose output is up to date and remembered.
    private func remembered() throws -> Workshop {
        let shop = try Workshop()
        #expect(shop.generate() == .success)
        #expect(try records(shop).count == 1)
        #expect(try shop.standingCount() == 2)
        shop.forget()
        return shop
    }

    private func records(_ shop: Workshop) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: shop.cache, includingPropertiesForKeys: nil)
    }

    @Test("a run with nothing to do says so and touches nothing, not even the record")
    func nothingToDo() throws {
        let shop = try remembered()
        let before = try shop.snapshot()
        let record = try FileManager.default.attributesOfItem(atPath: records(shop)[0].path)
        #expect(shop.generate() == .success)
        #expect(shop.output == Self.nothing)
        #expect(try shop.snapshot() == before)
        let after = try FileManager.default.attributesOfItem(atPath: records(shop)[0].path)
        #expect(
            record[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
        shop.forget()
        #expect(shop.check() == .success)
        #expect(shop.output == "All 2 generated files are up to date.")
    }

    @Test("a changed, new, renamed or deleted schema, or changed settings, are noticed")
    func inputs() throws {
        let changes: [(Workshop) throws -> Void] = [
            { try $0.write("entity: Note\nfields: { text: Int }\n", to: "Schemas/Note.yaml") },
            { try $0.write("entity: Other\n", to: "Schemas/Other.yaml") },
            { try $0.remove("Schemas/Note.yaml") },
            { try $0.write("name: Library\n", to: "Schemas/repositories.yaml") },
            {
                try $0.write($0.text("Schemas/Note.yaml"), to: "Schemas/deep/Note.yaml")
                try $0.remove("Schemas/Note.yaml")
            },
        ]
        for change in changes {
            let shop = try remembered()
            try change(shop)
            #expect(try shop.standingCount() == nil)
            #expect(shop.check() == .drift)
            #expect(shop.generate() == .success)
            #expect(shop.check() == .success)
        }
    }

    @Test("an output that was edited, deleted or emptied, or one too many, is noticed")
    func outputs() throws {
        let changes: [(Workshop) throws -> Void] = [
            { try $0.edit(Self.note) },
            { try $0.remove(Self.note) },
            { try $0.write("", to: Self.note) },
            {
                // The same size at the same moment.
                let text = try $0.text(Self.note)
                let path = $0.root.appending(path: Self.note).path
                let date = try FileManager.default.attributesOfItem(atPath: path)[
                    .modificationDate]
                try $0.write(text.replacing("text", with: "texT"), to: Self.note)
                try FileManager.default.setAttributes(
                    [.modificationDate: date as Any], ofItemAtPath: path)
            },
            { try $0.write($0.text(Self.note), to: "Generated/Old.generated.swift") },
            { try $0.remove("Generated") },
        ]
        for change in changes {
            let shop = try remembered()
            try change(shop)
            #expect(try shop.standingCount() == nil)
            #expect(shop.check() == .drift)
            #expect(shop.generate(force: true) == .success)
            #expect(shop.check() == .success)
        }
    }

    @Test("another module or another folder of output is another run")
    func otherRun() throws {
        let shop = try remembered()
        var locations = shop.locations
        locations.module = "Note"
        #expect(shop.tool().generate(locations, force: false) == .schemaErrors)
        locations = shop.locations
        locations.output = shop.root.appending(path: "Elsewhere").path
        #expect(shop.tool().generate(locations, force: false) == .success)
        #expect(shop.exists("Elsewhere/Note.generated.swift"))
        #expect(try records(shop).count == 2)
        #expect(try shop.standingCount() == 2)
    }

    @Test("a record that is broken, cut off or not one is no record")
    func broken() throws {
        let shop = try remembered()
        let place = try records(shop)[0]
        let text = try String(contentsOf: place, encoding: .utf8)
        #expect(try #require(RunRecord(text)).text == text)
        let wrong = [
            "", "\n\n\n\n\n\n", String(text.dropLast()), text + "\n",
            text.replacing("run 1", with: "run 2"),
            text.replacing("\n2\n", with: "\n3\n"),
            text.replacing("Generated", with: "Elsewhere"), "\u{0}\u{1}",
        ]
        for text in wrong {
            #expect(RunRecord(text) == nil)
            try Data(text.utf8).write(to: place)
            #expect(try shop.standingCount() == nil)
            #expect(shop.generate() == .success)
            #expect(try shop.standingCount() == 2)
        }
        try Data([0xFF, 0xFE]).write(to: place)
        #expect(shop.check() == .success)
    }

    @Test("without a place for the record everything is as before")
    func noPlace() throws {
        let shop = try Workshop()
        try Data("a file".utf8).write(to: shop.cache)
        for _ in 0..<2 { #expect(shop.generate() == .success) }
        #expect(shop.output.hasSuffix(Self.nothing))
        #expect(try shop.standingCount() == nil)
        #expect(try String(contentsOf: shop.cache, encoding: .utf8) == "a file")
    }

    @Test("a run that refused or failed is not remembered")
    func failed() throws {
        let shop = try remembered()
        try shop.edit(Self.note)
        for _ in 0..<2 { #expect(shop.generate() == .drift) }
        try shop.write("entity: Note\nfields: { x: Int }\n", to: "Schemas/Note.yaml")
        for _ in 0..<2 { #expect(shop.generate() == .drift) }
        #expect(try shop.standingCount() == nil)
        try shop.write("entity: Note\nfields: { x: Nonsense }\n", to: "Schemas/Note.yaml")
        for _ in 0..<2 { #expect(shop.generate() == .schemaErrors) }
    }

    @Test("the record lies in the package's build folder, or among the user's caches")
    func place() throws {
        let shop = try Workshop()
        let root = shop.root.path
        try shop.write("", to: "Package.swift")
        let folder = try #require(RunCache.folder(for: shop.locations))
        #expect(!folder.hasPrefix(root))
        try shop.write("", to: ".build/x")
        #expect(RunCache.folder(for: shop.locations) == root + "/.build/repository-generator")
        let inner = Locations(schemas: root + "/a/b/../Schemas/", output: nil, module: nil)
        #expect(RunCache.folder(for: inner) == root + "/.build/repository-generator")
    }
}

extension Workshop {
    /// How many files stand as the last run left them; nil if the next run has work to do.
    func standingCount() throws -> Int? {
        try GeneratorRun(locations, RunCache(in: cache.path, for: locations)).standingCount()
    }
}
