package import Foundation

/// What a document becomes whose stored bytes cannot be unwrapped.
///
/// A damaged document is an unreadable record, like one whose bytes are no document of the format.
/// The driver therefore does not throw where it reads the document, but passes this mark on to the
/// one who decodes it. The stored bytes themselves are never passed on: somebody may have put a
/// plain document there.
package enum DamagedDocument {
    /// The mark: 32 random bytes, which no format begins with.
    package static let bytes = Data([
        0xFF, 0x00, 0xFE, 0x9D, 0x3B, 0xA1, 0x5C, 0xE0, 0x77, 0x12, 0xC8, 0x4F, 0x06, 0xB3, 0x91,
        0x2A, 0xD5, 0x68, 0x0B, 0xF4, 0x33, 0x8E, 0x57, 0xC1, 0x9A, 0x24, 0x7F, 0xE6, 0x10, 0x4D,
        0xBB, 0x82,
    ])

    /// Throws if bytes are the mark.
    ///
    /// - Throws: ``RecordDecodingError``.
    package static func check(_ data: Data) throws {
        if data.count == bytes.count, data == bytes { throw error }
    }

    /// Throws if bytes are the mark.
    ///
    /// - Throws: ``RecordDecodingError``.
    static func check(_ data: UnsafeRawBufferPointer) throws {
        if data.count == bytes.count, bytes.elementsEqual(data) { throw error }
    }

    private static var error: RecordDecodingError {
        RecordDecodingError(
            "its stored bytes were changed, moved from another record, or written without the transformer"
        )
    }
}
