internal import Foundation

/// A temporary file whose contents are wrapped, in blocks of equal length.
///
/// The blocks of the file that have a name no more may stay on the disk, so that they are encrypted
/// as the documents are.
final class WrappedScratchFile: ScratchFile {
    /// The number of bytes of a block before it is wrapped.
    private static let blockSize = 4096
    private let base: any ScratchFile
    private let layer: any WrappingTransformer
    /// The number of bytes of a wrapped block.
    private let wrappedSize: Int
    /// The block that was used last: neighbouring values are read and written one after another.
    private var last: (number: UInt64, bytes: [UInt8])?

    /// Creates a file.
    ///
    /// - Parameters:
    ///   - base: The file with the wrapped blocks.
    ///   - layer: A transformer that lengthens bytes of one length equally.
    init(_ base: any ScratchFile, _ layer: any WrappingTransformer) throws {
        self.base = base
        self.layer = layer
        let zeros = Data(count: Self.blockSize)
        wrappedSize = try layer.wrap(zeros, at: Self.place(0)).count
    }

    private static func place(_ number: UInt64) -> DocumentPlace {
        DocumentPlace(collection: ".scratch", key: "\(number)")
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int {
        try visit(offset, buffer.count) { number, inBlock, inBuffer in
            let block = try block(number)
            block[inBlock].withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: buffer[inBuffer]).copyMemory(from: $0)
            }
        }
        return buffer.count
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
        try visit(offset, bytes.count) { number, inBlock, inBytes in
            var block = inBlock.count == Self.blockSize ? [] : try block(number)
            if block.isEmpty {
                block = Array(bytes[inBytes])
            } else {
                block.replaceSubrange(inBlock, with: bytes[inBytes])
            }
            let wrapped = try layer.wrap(Data(block), at: Self.place(number))
            guard wrapped.count == wrappedSize else {
                throw CRUDRepositoryError.unsupported(
                    "scratch files for a migration", by: "\(type(of: layer))")
            }
            last = nil
            try base.write([UInt8](wrapped), at: number * UInt64(wrappedSize))
            last = (number, block)
        }
    }

    /// Passes on the parts of a range that lie in one block each: the number of the block, the
    /// range inside the block, and the range inside the whole range.
    private func visit(
        _ offset: UInt64, _ count: Int, _ body: (UInt64, Range<Int>, Range<Int>) throws -> Void
    ) throws {
        var done = 0
        while done < count {
            let position = offset + UInt64(done)
            let start = Int(position % UInt64(Self.blockSize))
            let length = min(Self.blockSize - start, count - done)
            try body(
                position / UInt64(Self.blockSize), start..<start + length, done..<done + length)
            done += length
        }
    }

    /// Returns a block; zeros if it was never written.
    private func block(_ number: UInt64) throws -> [UInt8] {
        if let last, last.number == number { return last.bytes }
        let stored = try base.bytes(at: number * UInt64(wrappedSize), count: wrappedSize)
        var bytes = [UInt8](repeating: 0, count: Self.blockSize)
        if stored.contains(where: { $0 != 0 }) {
            do {
                bytes = [UInt8](try layer.unwrap(Data(stored), at: Self.place(number)))
            } catch let error as RecordDecodingError {
                throw CRUDRepositoryError(
                    .databaseError, "A temporary file of the migration was changed.",
                    underlyingError: error)
            }
        }
        last = (number, bytes)
        return bytes
    }
}
