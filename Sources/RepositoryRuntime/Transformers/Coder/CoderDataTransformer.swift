public import Foundation

/// A format defined by a pair of coders: YAML, XML with custom elements, compressed JSON.
///
/// ```swift
/// CoderDataTransformer(JSONEncoder(), JSONDecoder(), formatExtension: "json")
/// ```
/// Both expressions are evaluated again for each item. A coder therefore need not be `Sendable`,
/// and never handles two items at the same time. Use a closure or a function for coders with
/// settings: `CoderDataTransformer(makeEncoder(), …)`.
///
/// Errors: `invalidItem` if the encoder throws, `itemTypeMismatch` if the decoder reports a type, a
/// key or a field, and `invalidRecord` for all other errors of the decoder.
public struct CoderDataTransformer: DataTransformer {
    /// The file name extension of this format, without a dot.
    public let formatExtension: String
    /// Encodes a value of any type.
    private let encodeValue: @Sendable (any Encodable) throws -> Data
    /// Decodes a value of a type, which is checked by the caller.
    private let decodeValue: @Sendable (any Decodable.Type, Data) throws -> any Decodable

    /// Creates a transformer from a pair of coders.
    ///
    /// - Parameters:
    ///   - encoder: an expression that returns an encoder.
    ///   - decoder: an expression that returns a decoder.
    ///   - formatExtension: the file name extension of this format, without a dot.
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

    /// Creates a transformer from a pair of coders, with labeled arguments.
    public init<E: DataEncoder, D: DataDecoder>(
        encoder: @autoclosure @escaping @Sendable () -> E,
        decoder: @autoclosure @escaping @Sendable () -> D,
        formatExtension: String = "data"
    ) {
        self.init(encoder(), decoder(), formatExtension: formatExtension)
    }

    /// Creates a transformer from two closures, for coders with any interface.
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

    /// Encodes an item.
    ///
    /// - Throws: ``CRUDRepositoryError`` with code `invalidItem`.
    public func encode<T: Encodable>(_ object: T) throws -> Data {
        do {
            return try encodeValue(object)
        } catch {
            throw TransformerErrors.encoding(error)
        }
    }

    /// Decodes an item.
    ///
    /// - Throws: `itemTypeMismatch` if the decode closure returns a value of another type; see also
    ///   the type's documentation.
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
