internal import Foundation

/// What the two property-list transformers share: Foundation's coders, and values at the top that these refuse.
enum PropertyListCoding {
    static func encode<T: Encodable>(
        _ object: T, format: PropertyListSerialization.PropertyListFormat
    ) throws -> Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        do {
            return try encoder.encode(object)
        } catch {
            return try encodeFragment(object, with: encoder, orThrow: error)
        }
    }

    /// `PropertyListEncoder` refuses a text or a number at the top, and writes it inside an array.
    private static func encodeFragment<T: Encodable>(
        _ object: T, with encoder: PropertyListEncoder, orThrow error: any Error
    ) throws -> Data {
        guard case EncodingError.invalidValue(_, let context) = error, context.codingPath.isEmpty
        else {
            throw TransformerErrors.encoding(error)
        }
        do {
            let array = try PropertyListSerialization.propertyList(
                from: try encoder.encode([object]), format: nil)
            guard let element = (array as? [Any])?.first else {
                throw TransformerErrors.encoding(error)
            }
            return try PropertyListSerialization.data(
                fromPropertyList: element, format: encoder.outputFormat, options: 0)
        } catch {
            throw TransformerErrors.encoding(error)
        }
    }

    static func decode<T: Decodable>(_ data: Data) throws -> T {
        do {
            return try PropertyListDecoder().decode(T.self, from: data)
        } catch {
            throw TransformerErrors.decoding(error, as: T.self) {
                (try? PropertyListSerialization.propertyList(from: data, format: nil)) != nil
            }
        }
    }
}
