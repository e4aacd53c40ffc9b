internal import Foundation

/// Reads one format, value by value: what ``DocumentFieldDecoder`` and ``DocumentTree`` drive.
///
/// A reader stands before a value, or inside a container. Malformed input and a value of another kind throw
/// ``RecordDecodingError``; containers deeper than ``DocumentLimits/depth`` too.
protocol DocumentReader {
    /// Where one stands within a container.
    associatedtype Frame: DocumentFrame
    /// A layout's keys as ``matches(_:_:)`` compares them.
    static func keys(of layout: FieldLayout) -> EncodedKeys
    /// Whether of two members of one name the last counts, as it does for Foundation, or the first.
    static var lastDuplicateWins: Bool { get }
    /// Reads from bytes that outlive the reader.
    init(_ bytes: UnsafeRawBufferPointer) throws
    /// The place of the value that comes next.
    var position: Int { get set }

    mutating func beginObject() throws -> Frame
    /// Goes to the key of the next member; at the end false, and the object is behind.
    mutating func nextMember(_ frame: inout Frame) throws -> Bool
    /// The place of the value if the key is this one; the reader stays before the key.
    func matches(_ keys: EncodedKeys, _ index: Int) -> Int?
    /// Reads the key and goes to its value.
    mutating func readKey(_ frame: inout Frame) throws -> String

    mutating func beginList() throws -> Frame
    /// Goes to the next element; at the end false, and the list is behind.
    mutating func nextElement(_ frame: inout Frame) throws -> Bool

    /// Checks a value and leaves it behind.
    mutating func skipValue() throws
    /// Leaves a null behind; false, and nothing is read, before another value.
    mutating func readNull() throws -> Bool
    mutating func readBool() throws -> Bool
    mutating func readInteger() throws -> Int64
    mutating func readFloat() throws -> Float
    mutating func readDouble() throws -> Double
    mutating func readDecimal() throws -> Decimal
    mutating func readDate() throws -> Date
    mutating func readUUID() throws -> UUID
    mutating func readURL() throws -> URL
    mutating func readString() throws -> String
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
            // The verdict is the answer; the error itself was reported by the reading that failed first.
            return false
        }
    }
}

/// Where a reader stands within a container.
protocol DocumentFrame {
    /// Nowhere: what a decoder holds before the first container.
    init()
}

/// Bounds on what a reader accepts.
enum DocumentLimits {
    /// Containers within containers; Foundation's JSON reader has the same bound.
    static let depth = 512

    static var tooDeep: RecordDecodingError {
        RecordDecodingError("has more than \(depth) containers inside one another")
    }
}
