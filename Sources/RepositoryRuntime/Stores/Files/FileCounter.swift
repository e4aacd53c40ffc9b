internal import Foundation

/// The count of the writes to a collection, in a file of its own: odd while one is under way, even
/// between them.
///
/// It need not be durable: what is derived from the documents lives in memory and dies with the
/// machine.
struct FileCounter {
    private static let width = 20
    private let path: String
    private let files: StoreFiles
    private var operations: any FileOperations { files.operations }

    init(_ collection: String, _ layout: FileLayout, _ files: StoreFiles) {
        path = layout.ownFolder + "/" + FileNamePart(collection).encoded + ".writes"
        self.files = files
    }

    /// The count; nil while a write is under way, or when one did not end.
    func value() throws(FileFailure) -> UInt64? {
        guard let data = try files.contents(of: path) else { return 0 }
        let count = Self.count(data)
        return count % 2 == 0 ? count : nil
    }

    /// A write that was begun, with the file of its count.
    struct Write {
        fileprivate let counter: FileCounter
        fileprivate let file: Int32
        fileprivate let count: UInt64

        /// Marks its end.
        func end() throws(FileFailure) {
            do throws(FileFailure) {
                try counter.write(count + 1, to: file)
            } catch {
                leave()
                throw error
            }
            try counter.operations.close(file, counter.path)
        }

        /// Leaves it as one that did not end.
        func leave() {
            // The count says that nothing is known, whatever closing says.
            try? counter.operations.close(file, counter.path)
        }
    }

    /// Marks the start of a write; the lock is held, so that nobody else counts until its end.
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

    /// What is no number was not written by a store: an odd count says that nothing is known.
    private static func count(_ data: Data) -> UInt64 {
        data.isEmpty ? 0 : UInt64(String(decoding: data, as: UTF8.self)) ?? 1
    }

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
