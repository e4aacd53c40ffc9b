/// A single field's value as JSON text: how a SQL store keeps lists, maps and embedded values in one column.
public enum JSONFieldText {
    /// The JSON text of a value.
    ///
    /// - Throws: `invalidItem` for what JSON cannot hold.
    public static func encode<V: FieldValue>(_ value: V) throws -> String {
        var encoder = JSONFieldEncoder()
        defer { encoder.state.writer.buffer.discard() }
        try FieldFailure.reported { try value.encode(to: &encoder, at: 0) }
        return String(decoding: encoder.state.writer.buffer.bytes, as: UTF8.self)
    }

    /// The value of a JSON text's UTF-8 bytes, which are not kept.
    ///
    /// - Throws: ``RecordDecodingError`` with the path below the value, `room` or `3.room`.
    public static func decode<V: FieldValue>(_ type: V.Type, from text: UnsafeRawBufferPointer)
        throws -> V
    {
        try JSONFieldDecoder.decode(text) { try V.decode(from: &$0, at: 0) }
    }

    /// The value of a JSON text.
    ///
    /// - Throws: ``RecordDecodingError`` with the path below the value, `room` or `3.room`.
    public static func decode<V: FieldValue>(_ type: V.Type, from text: String) throws -> V {
        var text = text
        return try text.withUTF8 { try decode(type, from: UnsafeRawBufferPointer($0)) }
    }
}
