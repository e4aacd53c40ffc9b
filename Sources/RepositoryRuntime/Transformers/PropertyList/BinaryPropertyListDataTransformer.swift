public import Foundation

/// A binary property list, as Foundation's `PropertyListEncoder` writes and `PropertyListDecoder` reads it.
///
/// A text or a number may stand at the top.
///
/// Errors: `invalidItem` for what a property list cannot hold, `invalidRecord` for bytes that are no property list,
/// `itemTypeMismatch` for a property list of another shape than the type asked for.
public struct BinaryPropertyListDataTransformer: DataTransformer {
    public var formatExtension: String { "plist" }

    /// Makes the transformer; it has no settings.
    public init() {}

    public func encode<T: Encodable>(_ object: T) throws -> Data {
        try PropertyListCoding.encode(object, format: .binary)
    }

    public func decode<T: Decodable>(data: Data) throws -> T {
        try PropertyListCoding.decode(data)
    }
}
