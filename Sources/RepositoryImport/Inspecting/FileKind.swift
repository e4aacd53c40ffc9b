internal import Foundation

/// A kind of files that ``inspect(_:key:)`` knows.
protocol FileKind: Sendable {
    /// Whether a file is of this kind.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - start: the first bytes, 32 at most.
    ///   - hasKey: whether a key is given, so that the file should be encrypted.
    func recognizes(_ path: String, start: [UInt8], hasKey: Bool) -> Bool

    /// Reads a file of this kind.
    func inspect(_ path: String, key: [UInt8]?) throws(ImportProblem) -> InspectedFile
}

extension InspectedFile {
    /// The kinds, of which the first that recognizes a file reads it.
    private static let kinds: [any FileKind] = [RealmFileKind(), CoreDataFileKind()]

    /// Finds out what a file is and has. The file and those beside it are not changed.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - key: the key of an encrypted file.
    /// - Throws: ``ImportProblem`` if the file cannot be read or is of no known kind.
    package static func inspect(
        _ path: String, key: [UInt8]? = nil
    ) throws(ImportProblem) -> InspectedFile {
        let start: [UInt8]
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? file.close() }
            start = Array(try file.read(upToCount: 32) ?? Data())
        } catch {
            throw ImportProblem(path: path, reason: "cannot be read: \(error.localizedDescription)")
        }
        for kind in kinds where kind.recognizes(path, start: start, hasKey: key != nil) {
            return try kind.inspect(path, key: key)
        }
        throw ImportProblem(
            path: path,
            reason: start.isEmpty
                ? "is empty" : "is of no known kind; an encrypted Realm file needs '--key'")
    }
}
