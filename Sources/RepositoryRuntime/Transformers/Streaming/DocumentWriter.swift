internal import Foundation

/// A streaming serializer for one format. ``DocumentFieldEncoder`` and ``DocumentNode`` drive it.
///
/// Every member throws ``FieldFailure`` for a value that the format cannot represent. The caller
/// must call either ``takeDocument()`` or ``discard()``, exactly once and last, because the writer
/// owns its buffer.
protocol DocumentWriter {
    /// Returns the keys of a layout in the encoding of the format.
    static func keys(of layout: FieldLayout) -> EncodedKeys
    /// The value that ``endObject(_:count:)`` needs from ``beginObject()``.
    associatedtype Mark

    mutating func writeNull() throws
    mutating func write(_ value: Bool) throws
    mutating func write(_ value: Int64) throws
    mutating func write(_ value: UInt64) throws
    mutating func write(_ value: Float) throws
    mutating func write(_ value: Double) throws
    mutating func write(_ value: Decimal) throws
    mutating func write(_ value: Date) throws
    mutating func write(_ value: UUID) throws
    mutating func write(_ value: URL) throws
    mutating func write(_ value: String) throws
    mutating func write(_ value: Data) throws

    /// Begins an object. The number of its members is given at its end.
    mutating func beginObject() throws -> Mark
    /// Writes the key of the next member. `position` counts the members from 0.
    mutating func writeKey(_ keys: EncodedKeys, _ index: Int, position: Int) throws
    /// Ends the object.
    ///
    /// - Parameters:
    ///   - mark: the result of ``beginObject()``.
    ///   - count: the number of members written.
    mutating func endObject(_ mark: Mark, count: Int) throws

    mutating func beginList(count: Int) throws
    /// Called before each element. `position` counts the elements from 0.
    mutating func beginElement(position: Int) throws
    mutating func endList(count: Int) throws

    /// Begins a map with a known number of entries.
    mutating func beginMap(count: Int) throws
    /// Writes the key of the next entry. `position` counts the entries from 0.
    mutating func writeMapKey(_ key: String, position: Int) throws
    mutating func endMap(count: Int) throws

    /// Starts a document.
    init()
    /// Ends the document and returns its bytes. The writer must not be used afterwards.
    mutating func takeDocument() throws -> Data
    /// Frees the buffer without returning its bytes. The writer must not be used afterwards.
    func discard()
}
