public import Foundation

/// An encoder of the shape of Combine's `TopLevelEncoder`: any value in, bytes or text out.
///
/// Foundation's encoders conform. For another one that has the method, declare the conformance and write nothing:
/// `extension FancyEncoder: DataEncoder {}`.
public protocol DataEncoder: SendableMetatype {
    /// What comes out: `Data` or `String`.
    associatedtype Output: EncodedForm
    /// Encodes a value.
    func encode<T: Encodable>(_ value: T) throws -> Output
}

/// A decoder of the shape of Combine's `TopLevelDecoder`: bytes or text in, a value out.
///
/// Foundation's decoders conform. For another one that has the method, declare the conformance and write nothing:
/// `extension FancyDecoder: DataDecoder {}`.
public protocol DataDecoder: SendableMetatype {
    /// What goes in: `Data` or `String`.
    associatedtype Input: EncodedForm
    /// Decodes a value.
    func decode<T: Decodable>(_ type: T.Type, from input: Input) throws -> T
}

/// What coders make of a value: bytes, or text that is kept as UTF-8.
public protocol EncodedForm: SendableMetatype {
    /// Makes it of stored bytes; nil when they cannot be it.
    init?(encodedBytes: Data)
    /// The bytes to store.
    var encodedBytes: Data { get }
}

extension Data: EncodedForm {
    /// Takes the bytes back; nil when they are none of its kind.
    public init?(encodedBytes: Data) { self = encodedBytes }
    /// The bytes.
    public var encodedBytes: Data { self }
}

extension String: EncodedForm {
    /// Takes the bytes back; nil when they are none of its kind.
    public init?(encodedBytes: Data) { self.init(data: encodedBytes, encoding: .utf8) }
    /// The bytes.
    public var encodedBytes: Data { Data(utf8) }
}

extension JSONEncoder: DataEncoder {}
extension JSONDecoder: DataDecoder {}
extension PropertyListEncoder: DataEncoder {}
extension PropertyListDecoder: DataDecoder {}
