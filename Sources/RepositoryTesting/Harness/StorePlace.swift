public import Foundation

/// The location of the data of one behaviour's store. It is used by nothing else and removed after
/// the check.
///
/// A persistent store that is created again at the same place has the same data.
public struct StoreLocation: Sendable, Hashable {
    /// A folder, which exists and is empty at first.
    public let directory: URL
    /// A unique name of letters, digits and `-`, for example for a suite of user defaults or a
    /// database on a server.
    public let name: String
    /// The table name for a four-method repository. It may contain any characters.
    public var table: String

    /// Calls a closure with a new place in the system's temporary folder, and removes the place
    /// afterwards.
    ///
    /// - Throws: errors of the closure and of the clean-up, and of `FileManager` if the folder
    ///   cannot be created or removed.
    static func withNew<R>(
        cleanUp: (@Sendable (StoreLocation) async throws -> Void)?,
        _ body: (StoreLocation) async throws -> R
    ) async throws -> R {
        let name = "repository-testing-\(UUID().uuidString)"
        let directory = FileManager.default.temporaryDirectory
            .appending(path: name, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let place = StoreLocation(directory: directory, name: name, table: "Items")
        let result: R
        do {
            result = try await body(place)
        } catch {
            // What failed says more than what the clean-up finds broken after it.
            try? await cleanUp?(place)
            try? await place.remove()
            throw error
        }
        try await cleanUp?(place)
        try await place.remove()
        return result
    }

    /// Removes the folder and its contents.
    ///
    /// A store without references may still be closing, and may delete or write one of its files
    /// while the folder is being removed. The removal is then tried again.
    private func remove() async throws {
        for attempt in 1... where FileManager.default.fileExists(atPath: directory.path) {
            do {
                return try FileManager.default.removeItem(at: directory)
            } catch let error as CocoaError where attempt < 10 {
                if error.code != .fileNoSuchFile { try await Task.sleep(for: .milliseconds(20)) }
            }
        }
    }
}
