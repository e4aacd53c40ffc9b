/// A temporary file without a name. Its space is released with the object, also if the process
/// ends.
package protocol ScratchFile: AnyObject {
    /// Reads bytes into a buffer.
    ///
    /// - Returns: Their number, which is smaller than that of the buffer only at the end of the
    ///   file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int
    /// Writes bytes, also behind the end of the file. What was never written reads as zeros.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws
}

extension ScratchFile {
    /// Reads a number of bytes; zeros behind the end of the file.
    package func bytes(at offset: UInt64, count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        _ = try bytes.withUnsafeMutableBytes { try read(into: $0, at: offset) }
        return bytes
    }

    /// Writes bytes.
    package func write(_ bytes: [UInt8], at offset: UInt64) throws {
        try bytes.withUnsafeBytes { try write($0, at: offset) }
    }
}

extension [UInt8] {
    /// Appends an integer in little-endian order.
    mutating func append(integer: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: integer.littleEndian) { append(contentsOf: $0) }
    }

    /// Returns the integer at an offset. The array has its bytes.
    func integer<I: FixedWidthInteger>(_ type: I.Type, at offset: Int) -> I {
        withUnsafeBytes { I(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type)) }
    }
}
