public import Foundation

/// An XML property list, as Foundation's `PropertyListEncoder` writes and `PropertyListDecoder` reads it.
///
/// Dates keep whole seconds, rounded to the nearest. A carriage return is written as `&#13;`. A text or a number may
/// stand at the top.
///
/// Errors: `unsupported` for characters that XML 1.0 lacks (controls, U+FFFE, U+FFFF), `invalidItem` for what a
/// property list cannot hold, `invalidRecord` for bytes that are no property list, `itemTypeMismatch` for a property
/// list of another shape than the type asked for.
public struct XMLDataTransformer: DataTransformer {
    public var formatExtension: String { "xml" }

    /// Makes the transformer; it has no settings.
    public init() {}

    public func encode<T: Encodable>(_ object: T) throws -> Data {
        try XMLText.checked(PropertyListCoding.encode(object, format: .xml))
    }

    public func decode<T: Decodable>(data: Data) throws -> T {
        try PropertyListCoding.decode(data)
    }
}
