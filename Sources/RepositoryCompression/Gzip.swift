#if Compression
    internal import CZlib
    internal import Foundation
    internal import RepositoryRuntime

    /// Compression in the form of gzip, with zlib.
    ///
    /// Source: RFC 1952; the manual of zlib for `deflateInit2` and `inflateInit2`.
    enum Gzip {
        /// The window of 32 KiB, in the form of gzip: zlib adds 16 for it.
        private static let windowBits: Int32 = 15 + 16
        /// The number of bytes by which the output grows at least.
        private static let step = 64 << 10

        /// Compresses bytes.
        ///
        /// - Throws: `databaseError` if zlib has too little memory.
        static func compressed(_ bytes: Data, level: Int) throws -> Data {
            var stream = z_stream()
            let begun = deflateInit2_(
                &stream, Int32(level), Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size))
            guard begun == Z_OK else { throw failure("compress", begun) }
            defer { deflateEnd(&stream) }
            // The bound covers the whole output, so that one call writes all of it.
            let bound = Int(deflateBound(&stream, uLong(bytes.count)))
            var input = [UInt8](bytes)
            let size = input.count
            var code = Z_OK
            let output = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
                input.withUnsafeMutableBufferPointer { input in
                    stream.next_in = input.baseAddress
                    stream.avail_in = UInt32(size)
                    stream.next_out = buffer.baseAddress
                    stream.avail_out = UInt32(bound)
                    code = deflate(&stream, Z_FINISH)
                }
                count = bound - Int(stream.avail_out)
            }
            guard code == Z_STREAM_END else { throw failure("compress", code) }
            return Data(output)
        }

        /// Decompresses one complete document.
        ///
        /// - Parameter maximumSize: The maximum number of bytes of the output. No more memory is
        ///   used than that.
        /// - Throws: ``RecordDecodingError`` for other bytes; `databaseError` if zlib has too
        ///   little memory.
        static func decompressed(_ bytes: Data, maximumSize: Int) throws -> Data {
            var stream = z_stream()
            let begun = inflateInit2_(
                &stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
            guard begun == Z_OK else { throw failure("decompress", begun) }
            defer { inflateEnd(&stream) }
            var input = [UInt8](bytes)
            guard let size = UInt32(exactly: input.count) else {
                throw RecordDecodingError("its compressed bytes are too many")
            }
            var output = Data()
            var buffer = [UInt8](repeating: 0, count: min(step, max(1024, input.count * 4)))
            try input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = size
                while true {
                    let room = buffer.count
                    let code = buffer.withUnsafeMutableBufferPointer { buffer in
                        stream.next_out = buffer.baseAddress
                        stream.avail_out = UInt32(room)
                        return inflate(&stream, Z_NO_FLUSH)
                    }
                    let written = room - Int(stream.avail_out)
                    guard written <= maximumSize - output.count else {
                        throw RecordDecodingError(
                            "it is larger than \(maximumSize) bytes after decompression")
                    }
                    output.append(contentsOf: buffer[..<written])
                    switch code {
                    case Z_STREAM_END:
                        guard stream.avail_in == 0 else {
                            throw RecordDecodingError("bytes follow its compressed bytes")
                        }
                        return
                    case Z_OK:
                        continue
                    case Z_MEM_ERROR:
                        throw failure("decompress", code)
                    default:
                        // Z_BUF_ERROR: the input ends early.
                        throw RecordDecodingError("its compressed bytes are damaged")
                    }
                }
            }
            return output
        }

        private static func failure(_ verb: String, _ code: Int32) -> CRUDRepositoryError {
            CRUDRepositoryError(
                .databaseError, "zlib cannot \(verb) a record (code \(code)).")
        }
    }
#endif
