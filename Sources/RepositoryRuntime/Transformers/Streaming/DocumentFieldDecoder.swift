internal import Foundation

/// A field decoder for one format.
///
/// Each format has a concrete type, because generated code calls the methods through the witness
/// table of a concrete type, and only such calls are fast. Members that are also generic over the
/// value are always inlined into the methods of the concrete type, where the reader type is known:
/// the compiler specializes a function for all of its type parameters or for none.
protocol DocumentFieldDecoder: FieldDecoder {
    /// The reader of the format.
    associatedtype Reader: DocumentReader
    /// The position in the document.
    var state: DocumentDecoderState<Reader> { get set }
    /// Starts from the state of a reader at the first value.
    init(_ state: DocumentDecoderState<Reader>)
}

extension DocumentFieldDecoder {
    /// Decodes bytes with `body`: first in one pass, and after any error again in indexed mode.
    ///
    /// The bytes must contain nothing but the value.
    /// - Throws: only ``RecordDecodingError``.
    @inline(__always)
    static func decode<R>(_ bytes: UnsafeRawBufferPointer, _ body: (inout Self) throws -> R) throws
        -> R
    {
        do {
            var decoder = Self(DocumentDecoderState(try Reader(bytes), isIndexed: false))
            let result = try body(&decoder)
            try decoder.state.reader.finish()
            return result
        } catch {
            // The error is dropped: the second pass accepts the record, or finds the error with its
            // path.
        }
        do {
            var decoder = Self(DocumentDecoderState(try Reader(bytes), isIndexed: true))
            let result = try body(&decoder)
            try decoder.state.reader.finish()
            return result
        } catch {
            throw reported(error, bytes)
        }
    }

    /// Converts an error, and marks it as a mismatch if the bytes are well-formed.
    private static func reported(_ error: any Error, _ bytes: UnsafeRawBufferPointer)
        -> RecordDecodingError
    {
        var error = RecordDecodingError.converted(error)
        error.isMismatch = Reader.isWellFormed(bytes)
        return error
    }

    /// Reads a record from an object. The current level is restored afterwards, even after an
    /// error.
    @inline(__always)
    mutating func readRecord<M: RecordMapper>(_ mapper: M.Type) throws -> M.Record {
        let layout = mapper.layout
        var outer = DocumentDecoderState<Reader>.Level()
        swap(&outer, &state.level)
        // No `defer`: the compiler outlines its body into a function that is not specialized.
        do {
            try state.enter(layout)
            let record = try mapper.decode(from: &self)
            state.leaveLastField()
            try state.finish()
            swap(&outer, &state.level)
            return record
        } catch {
            let error = located(error)
            swap(&outer, &state.level)
            throw error
        }
    }

    /// Adds the name of the last requested field to an error. In the first pass the error is
    /// returned unchanged, because it is dropped.
    private func located(_ error: any Error) -> any Error {
        guard state.isIndexed, let layout = state.level.layout, state.level.current >= 0 else {
            return error
        }
        return RecordDecodingError.inside(layout.fields[state.level.current], error)
    }

    /// Moves to the value of a field; throws a mismatch if it is missing.
    @inline(__always)
    private mutating func require(_ index: Int) throws {
        guard try state.locate(index) else {
            throw RecordDecodingError("is missing", isMismatch: true)
        }
    }
}

extension DocumentFieldDecoder {
    /// Whether the object has a member for the field. The reader then stands at its value.
    mutating func contains(at index: Int) throws -> Bool { try state.locate(index) }

    /// Whether the field is missing or null. A null is consumed.
    mutating func decodeNil(at index: Int) throws -> Bool {
        guard try state.locate(index) else { return true }
        guard try state.reader.readNull() else { return false }
        state.consumed()
        return true
    }

    mutating func decodeBool(at index: Int) throws -> Bool {
        try require(index)
        defer { state.consumed() }
        return try state.reader.readBool()
    }

    mutating func decodeInteger(at index: Int) throws -> Int64 {
        try require(index)
        defer { state.consumed() }
        return try state.reader.readInteger()
    }

    mutating func decodeFloat(at index: Int) throws -> Float {
        try require(index)
        defer { state.consumed() }
        return try state.reader.readFloat()
    }

    mutating func decodeDouble(at index: Int) throws -> Double {
        try require(index)
        defer { state.consumed() }
        return try state.reader.readDouble()
    }

    mutating func decodeDecimal(at index: Int) throws -> Decimal {
        try require(index)
        defer { state.consumed() }
        return try state.reader.readDecimal()
    }

    mutating func decodeDate(at index: Int) throws -> Date {
        try require(index)
        defer { state.consumed() }
        return try state.reader.readDate()
    }

    mutating func decodeUUID(at index: Int) throws -> UUID {
        try require(index)
        defer { state.consumed() }
        return try state.reader.readUUID()
    }

    mutating func decodeURL(at index: Int) throws -> URL {
        try require(index)
        defer { state.consumed() }
        return try state.reader.readURL()
    }

    mutating func decodeString(at index: Int) throws -> String {
        try require(index)
        defer { state.consumed() }
        return try state.reader.readString()
    }

    mutating func decodeData(at index: Int) throws -> Data {
        try require(index)
        defer { state.consumed() }
        return try state.reader.readData()
    }
}

extension DocumentFieldDecoder {
    /// Reads a composite id from an object.
    @inline(__always)
    mutating func decodeComposite<V: CompositeEntityID>(_ type: V.Type, at index: Int) throws -> V {
        try require(index)
        let value = try readRecord(V.Mapper.self)
        state.consumed()
        return value
    }

    /// Reads an embedded value from an object.
    @inline(__always)
    mutating func decodeObject<V: EmbeddedValue>(_ type: V.Type, at index: Int) throws -> V {
        try require(index)
        let value = try readRecord(V.Mapper.self)
        state.consumed()
        return value
    }

    /// Reads a list. The elements have no layout of their own, so the level is empty while they are
    /// read.
    @inline(__always)
    mutating func decodeList<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [V] {
        try require(index)
        var frame = try state.reader.beginList()
        var outer = DocumentDecoderState<Reader>.Level()
        swap(&outer, &state.level)
        var elements: [V] = []
        do {
            while try state.reader.nextElement(&frame) {
                elements.append(try V.decode(from: &self, at: elements.count))
            }
        } catch {
            swap(&outer, &state.level)
            throw RecordDecodingError.inside("\(elements.count)", error)
        }
        swap(&outer, &state.level)
        state.consumed()
        return elements
    }

    /// Reads a map. If a key occurs several times, the format decides which value counts.
    @inline(__always)
    mutating func decodeMap<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [String: V] {
        try require(index)
        var frame = try state.reader.beginObject()
        var outer = DocumentDecoderState<Reader>.Level()
        swap(&outer, &state.level)
        var entries: [String: V] = [:]
        var key = ""
        do {
            while try state.reader.nextMember(&frame) {
                key = try state.reader.readKey(&frame)
                let value = try V.decode(from: &self, at: entries.count)
                if Reader.lastDuplicateWins || entries[key] == nil { entries[key] = value }
            }
        } catch {
            swap(&outer, &state.level)
            throw RecordDecodingError.inside(key, error)
        }
        swap(&outer, &state.level)
        state.consumed()
        return entries
    }
}
