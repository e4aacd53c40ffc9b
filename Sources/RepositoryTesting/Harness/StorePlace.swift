public import Foundation

/// Where the store of one behaviour keeps its data: a place that nothing else uses and that is removed afterwards.
///
/// A store made again at an equal place holds the same data, if the store is one that lasts.
public struct StorePlace: Sendable, Hashable {
    /// A folder that exists and is empty at first.
    public let directory: URL
    /// A name of its own, of letters, digits and `-`: for a suite of user defaults or a database on a server.
    public let name: String
    /// The table, for a four-method repository, which is one table: any characters.
    public var table: String

    /// Runs a body with a new place below the system's temporary folder, and removes it afterwards.
    ///
    /// - Throws: what the body and the clean-up throw, and `FileManager` when the folder cannot be made or removed.
    static func withNew<R>(
        cleanUp: (@Sendable (StorePlace) async throws -> Void)?,
        _ body: (StorePlace) async throws -> R
    ) async throws -> R {
        let name = "repository-testing-\(UUID().uuidString)"
        let directory = FileManager.default.temporaryDirectory
            .appending(path: name, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let place = StorePlace(directory: directory, name: name, table: "Items")
        let result: R
        do {
            result = try await body(place)
        } catch {
            try await cleanUp?(place)
            try place.remove()
            throw error
        }
        try await cleanUp?(place)
        try place.remove()
        return result
    }

    /// Removes the folder with what is in it.
    ///
    /// A store that nobody holds any more may still be closing, and remove a file of its own that was just listed here:
    /// then what is left is removed.
    private func remove() throws {
        var attempts = 10
        while FileManager.default.fileExists(atPath: directory.path) {
            do {
                return try FileManager.default.removeItem(at: directory)
            } catch let error as CocoaError where error.code == .fileNoSuchFile && attempts > 0 {
                attempts -= 1
            }
        }
    }
}
