import Foundation
import RepositoryGeneratorCore
import Testing

@testable import repository_generator

/// What a generator that stays remembers, and that it never hides a change.
@Suite("run cache")
struct WatchCacheTests {
    /// `REPOSITORY_SEED` in the environment repeats a run.
    private static var seed: UInt64 {
        ProcessInfo.processInfo.environment["REPOSITORY_SEED"].flatMap { UInt64($0) }
            ?? UInt64.random(in: 0...UInt64.max)
    }

    @Test("after each of many random edits the files are those of a fresh run")
    func randomEdits() throws {
        let seed = Self.seed
        print("seed \(seed)")
        var schemas = RandomSchemas(seed: seed)
        let shop = try Workshop([:])
        let cache = WatchCache()
        var remembering = shop.tool()
        remembering.cacheFolder = { _ in nil }
        var (edit, generated) = (0, 0)
        // How many of them leave a mistake for long depends on the seed; some must generate, or nearly nothing was tried.
        while edit < 400 || generated <= 40 && edit < 4_000 {
            let change = try schemas.edit(shop)
            let status = remembering.generate(shop.locations, force: false, cache: cache) { _ in }
            let complaints = shop.complaints
            shop.forget()
            // It remembers nothing, and makes all files to compare them with those that stand there.
            let fresh = remembering.check(shop.locations)
            if status == .success { generated += 1 }
            #expect(status == fresh, "seed \(seed), edit \(edit): \(change)")
            #expect(complaints == shop.complaints, "seed \(seed), edit \(edit): \(change)")
            shop.forget()
            guard status == fresh else { break }
            // Most mistakes are taken back before the next run, as by who sees them.
            if status != .success, edit % 4 > 0 { try schemas.undo(shop) }
            edit += 1
        }
        print("\(generated) of \(edit) edits generated")
        #expect(generated > 40, "seed \(seed)")
    }

    @Test("a change makes the files anew that depend on it, and no others")
    func dependence() throws {
        let shop = try Workshop([
            "Status.yaml": "enum: Status\ntype: String\ncases: [open]\n",
            "Stamped.yaml": "mixin: Stamped\nfields: { at: Date }\n",
            "Note.yaml": "entity: Note\ninclude: [Stamped]\nfields: { status: Status }\n",
            "Page.yaml": "entity: Page\nfields: { note: Note, number: Int }\n",
            "Other.yaml": "entity: Other\nfields: { text: String }\n",
        ])
        let cache = WatchCache()
        let tool = shop.tool()
        func made(_ text: String, to name: String) throws -> Set<String> {
            try shop.write(text, to: "Schemas/\(name)")
            #expect(
                tool.generate(shop.locations, force: false, cache: cache) { _ in } == .success)
            #expect(tool.check(shop.locations) == .success)
            return Set(cache.files.lastMade)
        }
        #expect(try made("entity: Other\n", to: "Other.yaml").count == 5)
        #expect(cache.validated.lastChecked.count == 5)
        #expect(try made("entity: Other\n# more\n", to: "Other.yaml") == ["Other.yaml"])
        #expect(cache.validated.lastChecked == ["Other.yaml"])
        #expect(cache.linted.lastChecked == ["Other.yaml"])
        #expect(
            try made("enum: Status\ntype: Int\ncases: [open: 1]\n", to: "Status.yaml")
                == ["Status.yaml", "Note.yaml"])
        #expect(
            try made("mixin: Stamped\nfields: { on: Date }\n", to: "Stamped.yaml")
                == ["Stamped.yaml", "Note.yaml", "Page.yaml"])
        #expect(try made("name: Shop\n", to: "repositories.yaml").count == 5)
    }

    @Test("an output that somebody touched is seen, whatever is remembered")
    func outputs() throws {
        let shop = try Workshop()
        let cache = WatchCache()
        let generate = {
            shop.tool().generate(shop.locations, force: false, cache: cache) { _ in }
        }
        #expect(generate() == .success)
        try shop.remove(GenerateTests.note)
        #expect(generate() == .success)
        #expect(shop.exists(GenerateTests.note))
        try shop.edit(GenerateTests.note)
        #expect(generate() == .drift)
    }
}
