import Foundation
import RepositoryTesting
import Testing

@testable import RepositoryRuntime

extension Conformance {
    /// Waits until a store of files has done what it does after its answers.
    func settle() async throws {
        // The set has external data, so that its store is wrapped.
        let store = (context.store as? ExternalDataStore)?.store ?? context.store
        let files = try #require(store as? FileSystemStore)
        let documents = try #require(files.store as? DocumentStore<FileDriver>)
        try await documents.writing.run {}
        try await documents.plain?.nameless.queue.run {}
    }
}

/// A folder that is removed with the object.
final class TemporaryFolder: Sendable {
    let url: URL

    init() {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("repository-tests-\(UUID().uuidString)", isDirectory: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of something in it.
    func path(_ name: String) -> String { url.path + "/" + name }

    /// The names in it, or in a folder of it, sorted, without the store's own folder.
    func names(_ folder: String = "") -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: path(folder))
        return (names ?? []).filter { $0 != ".repository" }.sorted()
    }

    /// Writes a file by hand.
    func write(_ text: String, to name: String) throws {
        let file = URL(fileURLWithPath: path(name))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// The text of a file.
    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path(name))), as: UTF8.self)
    }
}

/// A suite of user defaults that is removed with the object.
final class TemporarySuite: Sendable {
    let name = "repository-tests.\(UUID().uuidString)"

    var defaults: UserDefaults { UserDefaults(suiteName: name) ?? .standard }

    /// The file of the suite on Linux.
    var file: URL { DefaultsFolder.url(suiteName: name).appendingPathComponent(name + ".plist") }

    deinit {
        defaults.removePersistentDomain(forName: name)
        try? FileManager.default.removeItem(at: file)
        let own = DefaultsFolder.url(suiteName: name).appendingPathComponent("swift-repositories")
            .appendingPathComponent(FileNamePart(name).encoded)
        try? FileManager.default.removeItem(at: own)
    }
}

/// The code of a thrown error; nil when nothing, or another error, was thrown.
func errorCode<R>(_ body: () async throws -> R) async -> CRUDRepositoryError.Code? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? CRUDRepositoryError)?.code
    }
}

/// Ids that are hard on file systems, on keys and on those who compare texts.
enum HostileIDs {
    static let all: [String] = fixed + generated

    private static let fixed: [String] = [
        ".", "..", "...", "/", "//", "a/b", "../../etc/passwd", "/etc/passwd", "~", "~root", "\\",
        "C:\\x",
        "con", "CON", "nul", "aux.txt", "a.", "a ", " a", " ", "\t", "\n", "\r\n", "a\nb", "\u{1}",
        "\u{7F}",
        "\u{85}", "\u{A0}", "\u{200B}", "\u{202E}abc", "\u{FEFF}", "\u{FFFD}", "\u{10FFFF}", "-",
        "--help", "-rf",
        "*", "?", "<", ">", "|", ":", "\"", "'", "`", "$(x)", "${x}", "%", "%%", "%2F", "%2f",
        "%41", "%00",
        "%sha256_", "%zz", "a%", "item_", "item_a", "_item_", "_item", "a_item_b", "json", ".json",
        "a.json",
        "a", "A", "aA", "Aa", "AA", "aa", "Client", "client", "CLIENT", "é", "e\u{301}", "É", "ß",
        "ss", "SS",
        "ﬁ", "fi", "İ", "i", "I", "ı", "\u{C5}", "\u{212B}", "A\u{30A}", "😀", "👨‍👩‍👧‍👦", "👨‍👩‍👧", "🇩🇪", "日本語",
        "한글", "ᄒ\u{1161}\u{11AB}", "עברית", "0", "00", "-0", "1e3", "null", "true", "id_",
        ".repository", "lock",
        "550E8400-E29B-41D4-A716-446655440000", "550e8400-e29b-41d4-a716-446655440000",
        "550E8400-e29b-41D4-A716-446655440000", "550E8400E29B41D4A716446655440000",
        "11111111-1111-1111-1111-111111111111", "' OR 1=1 --", "a;b", "a&b", "a=b", "a#b", "[a]",
        "{a}",
    ]

    private static let generated: [String] = [
        String(repeating: "a", count: 120), String(repeating: "a", count: 121),
        String(repeating: "A", count: 40), String(repeating: "A", count: 41),
        String(repeating: "/", count: 40), String(repeating: "/", count: 41),
        String(repeating: "é", count: 20), String(repeating: "é", count: 21),
        String(repeating: "a", count: 255), String(repeating: "a", count: 4096),
        String(repeating: "../", count: 1365), String(repeating: "😀", count: 1024),
        String(repeating: "a", count: 4095) + "b",
    ]
}

/// A folder, or a suite of user defaults, of one store.
struct StorePlaceName {
    private let folder = TemporaryFolder()
    private let suite = TemporarySuite()
    let name: String

    init(_ kind: String) {
        name = kind == "userDefaults" ? suite.name : folder.url.path
        try? FileManager.default.createDirectory(
            at: folder.url, withIntermediateDirectories: true)
    }
}
