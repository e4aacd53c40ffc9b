public import Foundation

/// An encoder with the interface of Combine's `TopLevelEncoder`: it encodes any value as bytes or
/// text.
///
/// Foundation's encoders conform. For another encoder with this method, an empty conformance is
/// enough: `extension FancyEncoder: DataEncoder {}`.
public protocol DataEncoder: SendableMetatype {
    /// The type of the encoded value: `Data` or `String`.
    associatedtype Output: EncodedForm
    /// Encodes a value.
    func encode<T: Encodable>(_ value: T) throws -> Output
}

/// A decoder with the interface of Combine's `TopLevelDecoder`: it decodes a value from bytes or
/// text.
///
/// Foundation's decoders conform. For another decoder with this method, an empty conformance is
/// enough: `extension FancyDecoder: DataDecoder {}`.
public protocol DataDecoder: SendableMetatype {
    /// The type of the encoded value: `Data` or `String`.
    associatedtype Input: EncodedForm
    /// Decodes a value.
    func decode<T: Decodable>(_ type: T.Type, from input: Input) throws -> T
}

/// The output of an encoder: bytes, or text, which is stored as UTF-8.
public protocol EncodedForm: SendableMetatype {
    /// Creates the value from stored bytes. Returns nil if they are invalid.
    init?(encodedBytes: Data)
    /// The bytes to store.
    var encodedBytes: Data { get }
}

extension Data: EncodedForm {
    /// Creates the value from stored bytes. It never returns nil.
    public init?(encodedBytes: Data) { self = encodedBytes }
    /// The bytes.
    public var encodedBytes: Data { self }
}

extension String: EncodedForm {
    /// Creates the string from stored bytes. Returns nil if they are not UTF-8.
    public init?(encodedBytes: Data) { self.init(data: encodedBytes, encoding: .utf8) }
    /// The string in UTF-8.
    public var encodedBytes: Data { Data(utf8) }
}

extension JSONEncoder: DataEncoder {}
extension JSONDecoder: DataDecoder {}
extension PropertyListEncoder: DataEncoder {}
extension PropertyListDecoder: DataDecoder {}
