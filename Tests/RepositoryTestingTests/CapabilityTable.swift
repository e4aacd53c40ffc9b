import Foundation
import RepositorySQLite

#if PostgreSQL
    import RepositoryPostgreSQL
#endif

@testable import RepositoryRuntime

/// What each store declares, as the table of the documentation.
enum CapabilityTable {
    /// The stores of the table, as somebody would make them.
    static var stores: [(name: String, capabilities: StoreCapabilities)] {
        let folder = FileManager.default.temporaryDirectory
        var stores = [
            ("`InMemoryStore`", InMemoryStore().capabilities),
            ("`UserDefaultsStore`", UserDefaultsStore(suiteName: "capabilities").capabilities),
            ("`FileSystemStore`", FileSystemStore(directory: folder).capabilities),
            (
                "`FileSystemStore`, XML",
                FileSystemStore(directory: folder, transformer: XMLDataTransformer()).capabilities
            ),
            (
                "`SQLiteStore`",
                SQLiteStore(path: folder.appending(path: "none.sqlite").path).capabilities
            ),
            (
                "four methods",
                CRUDRepositoryStore(InMemoryRepository()).capabilities
            ),
        ]
        #if PostgreSQL
            stores.insert(("`PostgreSQLStore`", PostgreSQLStore("").capabilities), at: 5)
        #endif
        return stores
    }

    /// The table and its footnotes.
    static var text: String {
        let stores = stores
        var notes: [String] = []
        func cell(_ support: StoreSupport) -> String {
            switch support {
            case .native: return "✓"
            case .absent: return "–"
            case .emulated(let cost):
                if !notes.contains(cost) { notes.append(cost) }
                return "✓ (\((notes.firstIndex(of: cost) ?? 0) + 1))"
            }
        }
        var lines = [
            "| capability | " + stores.map(\.name).joined(separator: " | ") + " |",
            "|---" + String(repeating: "|:-:", count: stores.count) + "|",
        ]
        for capability in StoreCapability.all {
            let cells = stores.map { cell($0.capabilities[capability]) }
            lines.append("| `\(capability)` | " + cells.joined(separator: " | ") + " |")
        }
        lines.append("")
        lines += notes.enumerated().map {
            "\($0 + 1). \($1.first?.uppercased() ?? "")\($1.dropFirst())."
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
