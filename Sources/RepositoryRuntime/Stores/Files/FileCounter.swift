internal import Foundation

/// The count of the writes to a collection, in a file of its own: odd while one is under way, even between them.
///
/// It need not be durable: what is derived from the documents lives in memory and dies with the machine.
struct FileCounter {
    private static let width = 20
    private let path: String
    private let operations: any FileOperations

    init(_ collection: String, _ layout: FileLayout, _ operations: any FileOperations) {
        path = layout.ownFolder + "/" + FileNamePart(collection).encoded + ".writes"
        self.operations = operations
    }

    /// The count; nil while a write is under way, or when one did not end.
    func value() throws(FileFailure) -> UInt64? {
        let count = try read()
        return count % 2 == 0 ? count : nil
    }

    /// Marks the start of a write.
    func begin() throws(FileFailure) {
        let count = try read()
        try write(count % 2 == 0 ? count + 1 : count + 2)
    }

    /// Marks the end of a write.
    func end() throws(FileFailure) {
        try write(try read() + 1)
    }

    private func read() throws(FileFailure) -> UInt64 {
        guard let data = try operations.contents(of: path) else { return 0 }
        // What is no number was not written by a store: an odd count says that nothing is known.
        return UInt64(String(decoding: data, as: UTF8.self)) ?? 1
    }

    private func write(_ count: UInt64) throws(FileFailure) {
        let digits = String(count)
        let text = String(repeating: "0", count: Self.width - digits.count) + digits
        let file = try operations.open(path, .update)
        let result: Result<Void, FileFailure> = Data(text.utf8).withUnsafeBytes { bytes in
            do throws(FileFailure) {
                let count = try operations.write(file, path, bytes)
                guard count == bytes.count else {
                    throw FileFailure(operation: "write", path: path, code: ENOSPC)
                }
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try operations.close(file, path)
        try result.get()
    }
}
