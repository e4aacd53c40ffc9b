internal import Foundation

/// The write counter of a collection, stored in a file of its own. The count is odd during a write
/// and even between writes.
///
/// ``FileDriver/generation(of:)`` makes the count part of a stamp, by which other processes notice
/// writes. The file is 20 decimal digits, overwritten in place. It is not flushed to the disk:
/// everything that is derived with its help is in memory and does not survive a restart of the
/// machine.
struct FileCounter {
    /// The number of digits in the file.
    private static let width = 20
    /// The path of the counter's file relative to the root.
    private let path: String
    private let files: StoreFiles
    private var operations: any FileOperations { files.operations }

    /// Creates the counter of a collection; does not access the file.
    init(_ collection: String, _ layout: FileLayout, _ files: StoreFiles) {
        path = layout.ownFolder + "/" + FileNamePart(collection).encoded + ".writes"
        self.files = files
    }

    /// Returns the count; nil during a write, and after a write that did not end.
    func value() throws(FileFailure) -> UInt64? {
        guard let data = try files.contents(of: path) else { return 0 }
        let count = Self.count(data)
        return count % 2 == 0 ? count : nil
    }

    /// A running write, with the open file of its counter.
    struct Write {
        fileprivate let counter: FileCounter
        fileprivate let file: Int32
        /// The odd count that marks the write.
        fileprivate let count: UInt64

        /// Marks the end of the write and closes the file.
        func end() throws(FileFailure) {
            do throws(FileFailure) {
                try counter.write(count + 1, to: file)
            } catch {
                leave()
                throw error
            }
            try counter.operations.close(file, counter.path)
        }

        /// Closes the file without marking the end of the write, so that the count stays odd.
        func leave() {
            // The count stays odd, whether or not `close` succeeds.
            try? counter.operations.close(file, counter.path)
        }
    }

    /// Marks the start of a write. The caller holds the store's lock, so that no other writer
    /// counts before the end.
    ///
    /// If the count is odd because an earlier write did not end, the next odd number marks the new
    /// write.
    ///
    /// - Returns: The write, which the caller ends with ``Write/end()``.
    func begin() throws(FileFailure) -> Write {
        let file = try files.open(path, .update)
        do throws(FileFailure) {
            let found = try read(file)
            let count = found % 2 == 0 ? found + 1 : found + 2
            try write(count, to: file)
            return Write(counter: self, file: file, count: count)
        } catch {
            try? operations.close(file, path)
            throw error
        }
    }

    /// Reads the count from an open file.
    private func read(_ file: Int32) throws(FileFailure) -> UInt64 {
        let result: Result<Data, FileFailure> = withUnsafeTemporaryAllocation(
            byteCount: 2 * Self.width, alignment: 8
        ) { buffer in
            do throws(FileFailure) {
                let count = try operations.read(file, path, into: buffer)
                return .success(Data(UnsafeRawBufferPointer(rebasing: buffer[..<count])))
            } catch {
                return .failure(error)
            }
        }
        return Self.count(try result.get())
    }

    /// Decodes a count. An empty file counts as 0. For contents that no store wrote, the method
    /// returns an odd count, which means that the state is unknown.
    private static func count(_ data: Data) -> UInt64 {
        data.isEmpty ? 0 : UInt64(String(decoding: data, as: UTF8.self)) ?? 1
    }

    /// Overwrites the file with a count.
    private func write(_ count: UInt64, to file: Int32) throws(FileFailure) {
        let digits = String(count)
        var text = String(repeating: "0", count: Self.width - digits.count) + digits
        let result: Result<Int, FileFailure> = text.withUTF8 { bytes in
            do throws(FileFailure) {
                return .success(
                    try operations.overwrite(file, path, UnsafeRawBufferPointer(bytes)))
            } catch {
                return .failure(error)
            }
        }
        guard try result.get() == Self.width else {
            throw FileFailure(operation: "write", path: path, code: ENOSPC)
        }
    }
}
