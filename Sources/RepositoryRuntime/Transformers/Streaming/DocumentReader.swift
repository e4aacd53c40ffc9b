internal import Foundation

/// A pull parser for one format. ``DocumentFieldDecoder`` and ``TreeFormat`` drive it.
///
/// A reader is positioned before a value or inside a container. It throws ``RecordDecodingError``
/// for malformed input, for a value of another type than requested, and for more than
/// ``DocumentLimits/depth`` nested containers.
///
/// An object is read like this:
/// ```swift
/// var frame = try reader.beginObject()
/// while try reader.nextMember(&frame) {
///     let key = try reader.readKey(&frame)
///     // Read or skip the value of the key.
/// }
/// ```
protocol DocumentReader {
    /// The state of an open container, which the caller holds.
    associatedtype Frame: DocumentFrame
    /// Returns the keys of a layout, encoded for ``matches(_:_:)``.
    static func keys(of layout: FieldLayout) -> EncodedKeys
    /// Whether the last of several members with the same name counts, as in Foundation's decoder of
    /// the format, or the first.
    static var lastDuplicateWins: Bool { get }
    /// Starts at the first value. The bytes must outlive the reader.
    init(_ bytes: UnsafeRawBufferPointer) throws
    /// The position of the next value: a byte offset, or an object number in a binary property
    /// list. Setting it to a position recorded earlier moves the reader there.
    var position: Int { get set }

    /// Begins reading an object; throws a mismatch before another value.
    mutating func beginObject() throws -> Frame
    /// Advances to the key of the next member. Returns false after consuming the end of the object.
    mutating func nextMember(_ frame: inout Frame) throws -> Bool
    /// Returns the offset of the value if the next key is this one, and otherwise nil. The reader
    /// does not move.
    func matches(_ keys: EncodedKeys, _ index: Int) -> Int?
    /// Reads a key and advances to its value.
    mutating func readKey(_ frame: inout Frame) throws -> String

    /// Begins reading a list; throws a mismatch before another value.
    mutating func beginList() throws -> Frame
    /// Advances to the next element. Returns false after consuming the end of the list.
    mutating func nextElement(_ frame: inout Frame) throws -> Bool

    /// Skips a value and checks that it is well-formed.
    mutating func skipValue() throws
    /// Consumes a null. Returns false and reads nothing before another value.
    mutating func readNull() throws -> Bool
    /// Reads a Boolean.
    mutating func readBool() throws -> Bool
    /// Reads an integer. A number with an integral value counts as one.
    mutating func readInteger() throws -> Int64
    /// Reads a number as `Float`. A finite number beyond its range is a mismatch.
    mutating func readFloat() throws -> Float
    /// Reads a number as `Double`. An integer counts as one, and is rounded if necessary.
    mutating func readDouble() throws -> Double
    /// Reads a decimal in the representation of the format.
    mutating func readDecimal() throws -> Decimal
    /// Reads a date in the representation of the format.
    mutating func readDate() throws -> Date
    /// Reads a UUID in the representation of the format.
    mutating func readUUID() throws -> UUID
    /// Reads a URL in the representation of the format.
    mutating func readURL() throws -> URL
    /// Reads a string, which must be valid Unicode.
    mutating func readString() throws -> String
    /// Reads binary data in the representation of the format.
    mutating func readData() throws -> Data
    /// Checks that nothing follows the outermost value.
    mutating func finish() throws
}

extension DocumentReader {
    /// Whether the bytes are one well-formed value of the format.
    static func isWellFormed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do {
            var reader = try Self(bytes)
            try reader.skipValue()
            try reader.finish()
            return true
        } catch {
            // Only the verdict is needed: the operation that failed first has reported its own
            // error.
            return false
        }
    }
}

/// The state of a container that a reader is inside of.
protocol DocumentFrame {
    /// Creates a placeholder, which a decoder holds before the first container.
    init()
}

/// Limits for untrusted input.
enum DocumentLimits {
    /// The maximum number of nested containers. Foundation's JSON decoder has the same limit.
    static let depth = 512

    /// The error for a container beyond ``depth``.
    static var tooDeep: RecordDecodingError {
        RecordDecodingError("has more than \(depth) containers inside one another")
    }
}
