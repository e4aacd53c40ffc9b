internal import Foundation

/// A single field's value as JSON text: how a SQL store keeps lists, maps and embedded values in one column.
public enum JSONFieldText {
    /// The JSON text of a value.
    ///
    /// - Throws: `invalidItem` for what JSON cannot hold.
    public static func encode<V: FieldValue>(_ value: V) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(CodableBox(value)), as: UTF8.self)
        } catch {
            throw TransformerErrors.encoding(error)
        }
    }

    /// The value of a JSON text's UTF-8 bytes, which are not kept.
    ///
    /// - Throws: ``RecordDecodingError`` with the path below the value, `room` or `3.room`.
    public static func decode<V: FieldValue>(_ type: V.Type, from text: UnsafeRawBufferPointer)
        throws -> V
    {
        do {
            return try JSONDecoder().decode(CodableBox<V>.self, from: Data(text)).value
        } catch let error as RecordDecodingError {
            throw error
        } catch {
            throw RecordDecodingError("is no JSON of \(type)")
        }
    }

    /// The value of a JSON text.
    ///
    /// - Throws: ``RecordDecodingError`` with the path below the value, `room` or `3.room`.
    public static func decode<V: FieldValue>(_ type: V.Type, from text: String) throws -> V {
        var text = text
        return try text.withUTF8 { try decode(type, from: UnsafeRawBufferPointer($0)) }
    }
}
