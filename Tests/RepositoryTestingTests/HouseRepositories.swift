import Foundation
import RepositoryCompression
import RepositoryEncryption
import RepositorySQLite
import RepositoryTesting
import Testing

@testable import RepositoryRuntime

/// One of the four-method repositories of this package, in one format.
struct HouseRepository: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let harness: RepositoryHarness
    /// Whether it is in memory, or has the first of the formats.
    var isFirst: Bool {
        testDescription == "repository: memory"
            || testDescription.hasSuffix(", \(HouseFormat.all[0].name)")
    }

    static let all: [HouseRepository] =
        [
            HouseRepository(
                testDescription: "repository: memory",
                harness: RepositoryHarness(lacks: [.persistent, .namedTables, .formattedItems]) {
                    _ in InMemoryRepository()
                })
        ]
        + HouseFormat.all.map(files)
        + HouseFormat.wrapped.flatMap { [files($0), sqlite($0)] }
        // What a format does shows in files already; these two show what bytes do to the stores.
        + HouseFormat.all.prefix(2).flatMap { [userDefaults($0), sqlite($0)] }

    private static func files(_ format: HouseFormat) -> HouseRepository {
        HouseRepository(
            testDescription: "repository: files, \(format.name)",
            harness: RepositoryHarness(
                lacks: format.lacks.union([.namedTables]),
                damage: { place, id in
                    let name = "item_\(id).\(format.transformer.formatExtension)"
                    try HouseFormat.damaged.write(to: place.directory.appending(path: name))
                }
            ) { place in
                FileSystemRepository(
                    directoryURL: place.directory, dataTransformer: format.transformer)
            })
    }

    private static func userDefaults(_ format: HouseFormat) -> HouseRepository {
        HouseRepository(
            testDescription: "repository: user defaults, \(format.name)",
            harness: RepositoryHarness(
                lacks: format.lacks,
                cleanUp: { place in try HouseDefaults.shared.remove(place) }
            ) { place in
                UserDefaultsRepository(
                    tableName: place.table, suiteName: HouseDefaults.shared.suite(place),
                    dataTransformer: format.transformer)
            })
    }

    private static func sqlite(_ format: HouseFormat) -> HouseRepository {
        HouseRepository(
            testDescription: "repository: SQLite, \(format.name)",
            harness: RepositoryHarness(
                lacks: format.lacks,
                damage: { place, id in
                    try HouseSQL.run(
                        "UPDATE \"Items\" SET data = x'FF00FE' WHERE id = '\(id)'", place)
                }
            ) { place in
                SQLiteRepository(
                    tableName: place.table, path: HouseSQL.file(place),
                    dataTransformer: format.transformer)
            })
    }
}

/// A format and what it does without.
struct HouseFormat: Sendable {
    let name: String
    let transformer: any DataTransformer
    var lacks: Set<StoreCapability> = []

    static let all = [
        HouseFormat(name: "JSON", transformer: JSONDataTransformer()),
        HouseFormat(
            name: "XML", transformer: XMLDataTransformer(),
            lacks: [.fractionalSeconds, .controlCharacters]),
        HouseFormat(name: "binary", transformer: BinaryPropertyListDataTransformer()),
        HouseFormat(name: "CBOR", transformer: CBORDataTransformer()),
    ]

    /// Formats inside transformers that change their bytes; empty without the traits.
    static let wrapped: [HouseFormat] = {
        #if Compression && Encryption
            do {
                let keys = try KeyRing(
                    EncryptionKey(id: "test", bytes: Data(repeating: 7, count: 32)))
                return [
                    HouseFormat(
                        name: "compressed and encrypted CBOR",
                        transformer: EncryptedTransformer(
                            CompressedTransformer(CBORDataTransformer()), keys: keys)),
                    HouseFormat(
                        name: "encrypted JSON",
                        transformer: EncryptedTransformer(JSONDataTransformer(), keys: keys)),
                ]
            } catch {
                Issue.record(error)
                return []
            }
        #elseif Compression
            return [
                HouseFormat(
                    name: "compressed CBOR",
                    transformer: CompressedTransformer(CBORDataTransformer()))
            ]
        #else
            return []
        #endif
    }()

    /// Bytes that no format reads.
    static let damaged = Data([0xFF, 0x00, 0xFE])
}
