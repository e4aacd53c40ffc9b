internal import Foundation

/// A field decoder of a format. Each format has a concrete one, because the methods of a generic type would not be
/// specialised where generated code calls them.
protocol DocumentFieldDecoder: FieldDecoder {
    associatedtype Reader: DocumentReader
    var state: DocumentDecoderState<Reader> { get set }
    init(_ state: DocumentDecoderState<Reader>)
}

extension DocumentFieldDecoder {
    /// Reads what `body` reads of bytes: in the order of the layouts, and where that fails once more in any order.
    ///
    /// - Throws: ``RecordDecodingError`` only.
    static func decode<R>(_ bytes: UnsafeRawBufferPointer, _ body: (inout Self) throws -> R) throws
        -> R
    {
        do {
            return try read(bytes, isIndexed: false, body)
        } catch {
            // Whatever it was: the second reading accepts the record or finds the error with its path.
            return try readAgain(bytes, body)
        }
    }

    private static func read<R>(
        _ bytes: UnsafeRawBufferPointer, isIndexed: Bool, _ body: (inout Self) throws -> R
    ) throws -> R {
        var decoder = Self(DocumentDecoderState(try Reader(bytes), isIndexed: isIndexed))
        let result = try body(&decoder)
        try decoder.state.reader.finish()
        return result
    }

    private static func readAgain<R>(
        _ bytes: UnsafeRawBufferPointer, _ body: (inout Self) throws -> R
    ) throws -> R {
        do {
            return try read(bytes, isIndexed: true, body)
        } catch {
            var error = RecordDecodingError.converted(error)
            error.isMismatch = Reader.isWellFormed(bytes)
            throw error
        }
    }

    /// Reads a record from an object.
    mutating func readRecord<M: RecordMapper>(_ mapper: M.Type) throws -> M.Record {
        let outer = state.level
        defer { state.level = outer }
        try state.enter(mapper.layout)
        let record: M.Record
        do {
            record = try mapper.decode(from: &self)
        } catch {
            throw located(error)
        }
        try state.finish()
        return record
    }

    /// The error with the name of the field asked for last; in the first reading as it is, for nobody sees it.
    private func located(_ error: any Error) -> any Error {
        guard state.isIndexed, let layout = state.level.layout, state.level.current >= 0 else {
            return error
        }
        return RecordDecodingError.inside(layout.fields[state.level.current], error)
    }

    /// Reads values that have no layout, as `body` says.
    private mutating func readElements<R>(_ body: (inout Self) throws -> R) throws -> R {
        let outer = state.level
        state.level = DocumentDecoderState.Level()
        defer { state.level = outer }
        return try body(&self)
    }

    /// Reads one value of the field at `index`.
    @inline(__always)
    private mutating func readValue<R>(at index: Int, _ body: (inout Self) throws -> R) throws -> R
    {
        guard try state.locate(index) else {
            throw RecordDecodingError("is missing", isMismatch: true)
        }
        let value = try body(&self)
        state.consumed()
        return value
    }
}

extension DocumentFieldDecoder {
    mutating func contains(at index: Int) throws -> Bool { try state.locate(index) }

    mutating func decodeNil(at index: Int) throws -> Bool {
        guard try state.locate(index) else { return true }
        guard try state.reader.readNull() else { return false }
        state.consumed()
        return true
    }

    mutating func decodeBool(at index: Int) throws -> Bool {
        try readValue(at: index) { try $0.state.reader.readBool() }
    }
    mutating func decodeInteger(at index: Int) throws -> Int64 {
        try readValue(at: index) { try $0.state.reader.readInteger() }
    }
    mutating func decodeFloat(at index: Int) throws -> Float {
        try readValue(at: index) { try $0.state.reader.readFloat() }
    }
    mutating func decodeDouble(at index: Int) throws -> Double {
        try readValue(at: index) { try $0.state.reader.readDouble() }
    }
    mutating func decodeDecimal(at index: Int) throws -> Decimal {
        try readValue(at: index) { try $0.state.reader.readDecimal() }
    }
    mutating func decodeDate(at index: Int) throws -> Date {
        try readValue(at: index) { try $0.state.reader.readDate() }
    }
    mutating func decodeUUID(at index: Int) throws -> UUID {
        try readValue(at: index) { try $0.state.reader.readUUID() }
    }
    mutating func decodeURL(at index: Int) throws -> URL {
        try readValue(at: index) { try $0.state.reader.readURL() }
    }
    mutating func decodeString(at index: Int) throws -> String {
        try readValue(at: index) { try $0.state.reader.readString() }
    }
    mutating func decodeData(at index: Int) throws -> Data {
        try readValue(at: index) { try $0.state.reader.readData() }
    }

    mutating func decodeComposite<V: CompositeEntityID>(_ type: V.Type, at index: Int) throws -> V {
        try readValue(at: index) { try $0.readRecord(V.Mapper.self) }
    }

    mutating func decodeObject<V: EmbeddedValue>(_ type: V.Type, at index: Int) throws -> V {
        try readValue(at: index) { try $0.readRecord(V.Mapper.self) }
    }

    mutating func decodeList<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [V] {
        try readValue(at: index) {
            try $0.readElements { decoder in
                var elements: [V] = []
                var frame = try decoder.state.reader.beginList()
                while try decoder.state.reader.nextElement(&frame) {
                    do {
                        elements.append(try V.decode(from: &decoder, at: elements.count))
                    } catch {
                        throw RecordDecodingError.inside("\(elements.count)", error)
                    }
                }
                return elements
            }
        }
    }

    mutating func decodeMap<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [String: V] {
        try readValue(at: index) {
            try $0.readElements { decoder in
                var entries: [String: V] = [:]
                var frame = try decoder.state.reader.beginObject()
                while try decoder.state.reader.nextMember(&frame) {
                    let key = try decoder.state.reader.readKey(&frame)
                    do {
                        let value = try V.decode(from: &decoder, at: entries.count)
                        if Reader.lastDuplicateWins || entries[key] == nil { entries[key] = value }
                    } catch {
                        throw RecordDecodingError.inside(key, error)
                    }
                }
                return entries
            }
        }
    }
}
