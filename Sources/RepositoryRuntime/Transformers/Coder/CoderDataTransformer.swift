public import Foundation

/// Any format for which there is a pair of coders: YAML, XML with elements of one's own, compressed JSON.
///
/// ```swift
/// CoderDataTransformer(JSONEncoder(), JSONDecoder(), formatExtension: "json")
/// ```
/// The two expressions are evaluated anew for each item, so that a coder need not be `Sendable` and never serves two
/// items at once. Coders with settings come from a closure or a function: `CoderDataTransformer(makeEncoder(), …)`.
///
/// Errors: `invalidItem` for what the encoder refuses, `itemTypeMismatch` where the decoder names a type, a key or a
/// field, `invalidRecord` for everything else that it throws.
public struct CoderDataTransformer: DataTransformer {
    /// The ending of files in this format.
    public let formatExtension: String
    private let encodeValue: @Sendable (any Encodable) throws -> Data
    private let decodeValue: @Sendable (any Decodable.Type, Data) throws -> any Decodable

    /// Makes a transformer of a pair of coders.
    ///
    /// - Parameters:
    ///   - encoder: an expression that makes or names the encoder.
    ///   - decoder: an expression that makes or names the decoder.
    ///   - formatExtension: the ending of files in this format, without a dot.
    public init<E: DataEncoder, D: DataDecoder>(
        _ encoder: @autoclosure @escaping @Sendable () -> E,
        _ decoder: @autoclosure @escaping @Sendable () -> D,
        formatExtension: String = "data"
    ) {
        self.init(
            formatExtension: formatExtension,
            encode: { try encoder().encode($0).encodedBytes },
            decode: { type, data in
                guard let input = D.Input(encodedBytes: data) else {
                    throw RecordDecodingError("the bytes are no UTF-8")
                }
                return try decoder().decode(type, from: input)
            })
    }

    /// Makes a transformer of a pair of coders.
    public init<E: DataEncoder, D: DataDecoder>(
        encoder: @autoclosure @escaping @Sendable () -> E,
        decoder: @autoclosure @escaping @Sendable () -> D,
        formatExtension: String = "data"
    ) {
        self.init(encoder(), decoder(), formatExtension: formatExtension)
    }

    /// Makes a transformer of two closures, for coders of any shape.
    ///
    /// ```swift
    /// CoderDataTransformer(
    ///     formatExtension: "yaml",
    ///     encode: { Data(try YAMLEncoder().encode($0).utf8) },
    ///     decode: { try YAMLDecoder().decode($0, from: $1) })
    /// ```
    public init(
        formatExtension: String,
        encode: @escaping @Sendable (any Encodable) throws -> Data,
        decode: @escaping @Sendable (any Decodable.Type, Data) throws -> any Decodable
    ) {
        self.formatExtension = formatExtension
        encodeValue = encode
        decodeValue = decode
    }

    /// The bytes of an item.
    public func encode<T: Encodable>(_ object: T) throws -> Data {
        do {
            return try encodeValue(object)
        } catch {
            throw TransformerErrors.encoding(error)
        }
    }

    /// The item of its bytes.
    public func decode<T: Decodable>(data: Data) throws -> T {
        let value: any Decodable
        do {
            value = try decodeValue(T.self, data)
        } catch {
            throw TransformerErrors.decoding(error, as: T.self) { false }
        }
        guard let item = value as? T else {
            throw CRUDRepositoryError(
                .itemTypeMismatch, "The record is no \(T.self): it is a \(type(of: value)).")
        }
        return item
    }
}
