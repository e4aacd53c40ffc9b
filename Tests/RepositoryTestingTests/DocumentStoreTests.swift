import Foundation
import RepositoryTesting
import Testing

@testable import RepositoryRuntime

@Suite("The suite's behaviours on the stores of the runtime")
struct DocumentStoreTests {
    static let formats: [any DataTransformer] = [
        JSONDataTransformer(), XMLDataTransformer(), BinaryPropertyListDataTransformer(),
    ]

    @Test(arguments: StoreBehaviour.all)
    func memory(_ behaviour: StoreBehaviour) async throws {
        try await behaviour.check { _ in InMemoryStore() }
    }

    @Test(arguments: StoreBehaviour.all)
    func files(_ behaviour: StoreBehaviour) async throws {
        for format in Self.formats {
            try await behaviour.check(
                StoreHarness(damage: { place, table, id in
                    let layout = FileLayout(
                        root: place.directory, formatExtension: format.formatExtension,
                        operations: POSIXFileOperations())
                    let path = try layout.place(id, in: table.name).path
                    try Data("damage".utf8).write(to: URL(fileURLWithPath: path))
                }) { FileSystemStore(directory: $0.directory, transformer: format) })
        }
    }

    @Test(arguments: StoreBehaviour.all)
    func userDefaults(_ behaviour: StoreBehaviour) async throws {
        try await behaviour.check(
            StoreHarness(
                damage: { place, table, id in
                    let driver = UserDefaultsDriver(
                        DefaultsDomain(suiteName: place.name), keepsStamps: false)
                    try driver.withLock {
                        try driver.applyAll([
                            DocumentChange(id, in: table.name, data: Data("damage".utf8))
                        ])
                    }
                },
                cleanUp: { place in
                    let folder = DefaultsFolder.url(suiteName: place.name)
                    let own = folder.appendingPathComponent("swift-repositories")
                    for url in [
                        folder.appendingPathComponent(place.name + ".plist"),
                        own.appendingPathComponent(FileNamePart(place.name).encoded),
                    ] where FileManager.default.fileExists(atPath: url.path) {
                        try FileManager.default.removeItem(at: url)
                    }
                }
            ) { UserDefaultsStore(suiteName: $0.name, transformer: JSONDataTransformer()) })
    }
}
