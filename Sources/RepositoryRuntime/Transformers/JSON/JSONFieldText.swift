/// The value of a single field as JSON text. SQL stores use it for lists, maps and embedded values
/// in one column.
public enum JSONFieldText {
    /// Encodes a value.
    ///
    /// - Throws: `invalidItem` for values that JSON cannot represent.
    public static func encode<V: FieldValue>(_ value: V) throws -> String {
        var encoder = JSONFieldEncoder()
        defer { encoder.state.writer.buffer.discard() }
        try FieldFailure.reported { try value.encode(to: &encoder, at: 0) }
        return String(decoding: encoder.state.writer.buffer.bytes, as: UTF8.self)
    }

    /// Decodes a value from UTF-8 bytes. No reference to the bytes is retained.
    ///
    /// - Throws: ``RecordDecodingError`` with the path inside the value, such as `room` or
    ///   `3.room`.
    public static func decode<V: FieldValue>(_ type: V.Type, from text: UnsafeRawBufferPointer)
        throws -> V
    {
        try JSONFieldDecoder.decode(text) { try V.decode(from: &$0, at: 0) }
    }

    /// Decodes a value from a string.
    ///
    /// - Throws: ``RecordDecodingError`` with the path inside the value, such as `room` or
    ///   `3.room`.
    public static func decode<V: FieldValue>(_ type: V.Type, from text: String) throws -> V {
        var text = text
        return try text.withUTF8 { try decode(type, from: UnsafeRawBufferPointer($0)) }
    }
}
