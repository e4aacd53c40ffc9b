internal import Foundation

/// A streaming serializer for one format. ``DocumentFieldEncoder`` and ``DocumentNode`` drive it.
///
/// Members throw ``FieldFailure`` for a value that the format cannot represent. The caller must
/// call either ``takeDocument()`` or ``discard()``, exactly once and last, because the writer owns
/// its buffer.
///
/// The calls for a container are, in this order:
/// - an object: ``beginObject()``, for each member ``writeKey(_:_:position:)`` and its value,
///   ``endObject(_:count:)``
/// - a list: ``beginList(count:)``, for each element ``beginElement(position:)`` and its value,
///   ``endList(count:)``
/// - a map: ``beginMap(count:)``, for each entry ``writeMapKey(_:position:)`` and its value,
///   ``endMap(count:)``
protocol DocumentWriter {
    /// Returns the keys of a layout in the encoding of the format.
    static func keys(of layout: FieldLayout) -> EncodedKeys
    /// The value that ``endObject(_:count:)`` needs from ``beginObject()``.
    associatedtype Mark

    /// Writes a null.
    mutating func writeNull() throws
    /// Writes a Boolean.
    mutating func write(_ value: Bool) throws
    /// Writes an integer.
    mutating func write(_ value: Int64) throws
    /// Writes an integer that may exceed `Int64.max`.
    mutating func write(_ value: UInt64) throws
    /// Writes a number of single precision.
    mutating func write(_ value: Float) throws
    /// Writes a number of double precision.
    mutating func write(_ value: Double) throws
    /// Writes a decimal without loss of digits.
    mutating func write(_ value: Decimal) throws
    /// Writes a date with the precision of the format. Dates outside the range of ``StoredDate``
    /// throw.
    mutating func write(_ value: Date) throws
    /// Writes a UUID.
    mutating func write(_ value: UUID) throws
    /// Writes a URL by its absolute string.
    mutating func write(_ value: URL) throws
    /// Writes a string.
    mutating func write(_ value: String) throws
    /// Writes binary data.
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

    /// Begins a list with a known number of elements.
    mutating func beginList(count: Int) throws
    /// Called before each element. `position` counts the elements from 0.
    mutating func beginElement(position: Int) throws
    /// Ends the list. `count` equals that of the beginning.
    mutating func endList(count: Int) throws

    /// Begins a map with a known number of entries.
    mutating func beginMap(count: Int) throws
    /// Writes the key of the next entry. `position` counts the entries from 0.
    mutating func writeMapKey(_ key: String, position: Int) throws
    /// Ends the map. `count` equals that of the beginning.
    mutating func endMap(count: Int) throws

    /// Starts a document.
    init()
    /// Ends the document and returns its bytes. The writer must not be used afterwards.
    mutating func takeDocument() throws -> Data
    /// Frees the buffer without returning its bytes. The writer must not be used afterwards.
    func discard()
}
