internal import Foundation

/// The folders of a store that a writer keeps open, by path.
///
/// There are at most 32, usually two or three, and every system call of a writer needs one. They are
/// therefore found by comparing bytes, without a copy of the part of the path that names the folder.
struct OpenFolders {
    /// A folder: its path below the root, and its descriptor.
    typealias Entry = (path: String, descriptor: Int32)

    /// The maximum number of folders. A process may open only a limited number of files.
    private static let limit = 32
    private var entries: [Entry] = []

    /// Whether no other folder can be kept open.
    var isFull: Bool { entries.count >= Self.limit }

    /// Returns the descriptor of a folder; nil if it is not open.
    ///
    /// - Parameters:
    ///   - path: the path of the folder, or of a file in the folder.
    ///   - count: the number of bytes of `path` that are the path of the folder.
    func descriptor(of path: String, first count: Int) -> Int32? {
        path.withUTF8Bytes { bytes in
            entries.first { entry in
                entry.path.withUTF8Bytes { folder in
                    guard folder.count == count else { return false }
                    // An empty string may have no buffer.
                    guard let one = folder.baseAddress, let two = bytes.baseAddress else {
                        return count == 0
                    }
                    return memcmp(one, two, count) == 0
                }
            }?.descriptor
        }
    }

    /// Keeps a folder open.
    mutating func add(_ path: String, _ descriptor: Int32) {
        entries.append((path, descriptor))
    }

    /// Removes the folders that satisfy a condition, and returns them. The caller closes them.
    mutating func remove(where isRemoved: (String) -> Bool) -> [Entry] {
        let removed = entries.filter { isRemoved($0.path) }
        if !removed.isEmpty { entries.removeAll { isRemoved($0.path) } }
        return removed
    }
}
