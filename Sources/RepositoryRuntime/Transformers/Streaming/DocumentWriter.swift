internal import Foundation

/// Writes one format, value by value: what ``DocumentFieldEncoder`` drives.
///
/// A value that the format cannot hold throws ``FieldFailure``.
protocol DocumentWriter {
    /// A layout's keys as the format writes them.
    static func keys(of layout: FieldLayout) -> EncodedKeys
    /// What ``endObject(_:count:)`` needs to know of the begin.
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

    /// Begins an object of a number of members that is not known yet.
    mutating func beginObject() throws -> Mark
    /// Writes the key before the value that follows; `position` counts members from 0.
    mutating func writeKey(_ keys: EncodedKeys, _ index: Int, position: Int) throws
    mutating func endObject(_ mark: Mark, count: Int) throws

    mutating func beginList(count: Int) throws
    /// Comes before each element.
    mutating func beginElement(position: Int) throws
    mutating func endList(count: Int) throws

    mutating func beginMap(count: Int) throws
    /// Writes the key before the value that follows.
    mutating func writeMapKey(_ key: String, position: Int) throws
    mutating func endMap(count: Int) throws

    /// Starts a document.
    init()
    /// Ends the document and hands its bytes over; the writer is not used after that.
    mutating func takeDocument() throws -> Data
    /// Frees the bytes written; the writer is not used after that.
    func discard()
}
