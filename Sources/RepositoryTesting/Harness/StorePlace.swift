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

    /// Makes a new place below the system's temporary folder.
    ///
    /// - Throws: what `FileManager` says when the folder cannot be made.
    static func new() throws -> StorePlace {
        let name = "repository-testing-\(UUID().uuidString)"
        let directory = FileManager.default.temporaryDirectory
            .appending(path: name, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        return StorePlace(directory: directory, name: name, table: "Items")
    }

    /// Removes the folder and what is in it.
    func remove() throws {
        guard FileManager.default.fileExists(atPath: directory.path) else { return }
        try FileManager.default.removeItem(at: directory)
    }
}
