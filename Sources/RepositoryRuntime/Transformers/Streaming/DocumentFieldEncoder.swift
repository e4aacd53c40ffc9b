internal import Foundation

/// The position of a field encoder: the current object, list or map.
struct DocumentEncoderState<Writer: DocumentWriter> {
    /// The state of one object that is being written.
    struct Level {
        /// The layout of the object; nil inside a list or a map, whose elements have no field keys.
        fileprivate var layout: FieldLayout?
        /// The field keys as the format encodes them; nil inside a list or a map.
        fileprivate var keys: EncodedKeys?
        /// The number of members written.
        fileprivate var count = 0
    }

    /// The writer of the format.
    var writer: Writer
    /// The object, list or map that is being written.
    fileprivate var level = Level()

    /// Starts a document with an empty writer.
    init(_ writer: Writer) {
        self.writer = writer
    }

    /// Writes the key of the field at `index`, unless this is a list or a map.
    @inline(__always)
    fileprivate mutating func begin(_ index: Int) throws {
        guard let keys = level.keys else { return }
        try writer.writeKey(keys, index, position: level.count)
        level.count += 1
    }

    /// Begins an object, which becomes the current level. The caller has saved the outer level.
    fileprivate mutating func enter(_ layout: FieldLayout) throws -> Writer.Mark {
        level.layout = layout
        level.keys = Writer.keys(of: layout)
        return try writer.beginObject()
    }

    /// Adds the name or position of the field or element at `index` to an error.
    fileprivate func located(_ error: any Error, _ index: Int) -> any Error {
        FieldFailure.inside(level.layout, index, error)
    }
}

/// A field encoder for one format.
///
/// Each format has a concrete type, because generated code calls the methods through the witness
/// table of a concrete type, and only such calls are fast. Members that are also generic over the
/// value are always inlined into the methods of the concrete type, where the writer type is known:
/// the compiler specializes a function for all of its type parameters or for none.
protocol DocumentFieldEncoder: FieldEncoder {
    /// The writer of the format.
    associatedtype Writer: DocumentWriter
    /// The position in the document.
    var state: DocumentEncoderState<Writer> { get set }
    /// Starts a document.
    init()
}

extension DocumentFieldEncoder {
    /// Encodes a record as a document. This implements `encodeRecord` for every format.
    ///
    /// - Throws: `invalidItem` or `unsupported`, with the path of the value that the format cannot
    ///   represent.
    @inline(__always)
    static func document<M: RecordMapper>(of record: M.Record, _ mapper: M.Type) throws -> Data {
        var encoder = Self()
        do {
            try encoder.writeRecord(record, mapper)
            return try encoder.state.writer.takeDocument()
        } catch {
            encoder.state.writer.discard()
            throw (error as? FieldFailure)?.repositoryError ?? error
        }
    }
}

extension DocumentFieldEncoder {
    /// Writes a record as an object. The current level is restored afterwards, even after an error.
    @inline(__always)
    mutating func writeRecord<M: RecordMapper>(_ record: M.Record, _ mapper: M.Type) throws {
        let layout = mapper.layout
        var outer = DocumentEncoderState<Writer>.Level()
        swap(&outer, &state.level)
        // No `defer`: the compiler outlines its body into a function that is not specialized.
        do {
            let mark = try state.enter(layout)
            try mapper.encode(record, to: &self)
            // Read before the call: during a mutating access to the writer, the state would be read
            // from a copy.
            let count = state.level.count
            try state.writer.endObject(mark, count: count)
        } catch {
            swap(&outer, &state.level)
            throw error
        }
        swap(&outer, &state.level)
    }
}

extension DocumentFieldEncoder {
    /// Omits a null field, and writes a null element.
    mutating func encodeNil(at index: Int) throws {
        // A null field is omitted, as in synthesized `Codable` conformances. A null element is
        // written.
        if state.level.keys == nil { try state.writer.writeNull() }
    }

    mutating func encodeBool(_ value: Bool, at index: Int) throws {
        try state.begin(index)
        try state.writer.write(value)
    }

    mutating func encodeInteger(_ value: Int64, at index: Int) throws {
        try state.begin(index)
        try state.writer.write(value)
    }

    mutating func encodeFloat(_ value: Float, at index: Int) throws {
        try state.begin(index)
        do { try state.writer.write(value) } catch { throw state.located(error, index) }
    }

    mutating func encodeDouble(_ value: Double, at index: Int) throws {
        try state.begin(index)
        do { try state.writer.write(value) } catch { throw state.located(error, index) }
    }

    mutating func encodeDecimal(_ value: Decimal, at index: Int) throws {
        try state.begin(index)
        do { try state.writer.write(value) } catch { throw state.located(error, index) }
    }

    mutating func encodeDate(_ value: Date, at index: Int) throws {
        try state.begin(index)
        do { try state.writer.write(value) } catch { throw state.located(error, index) }
    }

    mutating func encodeUUID(_ value: UUID, at index: Int) throws {
        try state.begin(index)
        try state.writer.write(value)
    }

    mutating func encodeURL(_ value: URL, at index: Int) throws {
        try state.begin(index)
        do { try state.writer.write(value) } catch { throw state.located(error, index) }
    }

    mutating func encodeString(_ value: String, at index: Int) throws {
        try state.begin(index)
        do { try state.writer.write(value) } catch { throw state.located(error, index) }
    }

    mutating func encodeData(_ value: Data, at index: Int) throws {
        try state.begin(index)
        try state.writer.write(value)
    }
}

extension DocumentFieldEncoder {
    /// Writes a composite id as an object.
    @inline(__always)
    mutating func encodeComposite<V: CompositeEntityID>(_ value: V, at index: Int) throws {
        try state.begin(index)
        do { try writeRecord(value, V.Mapper.self) } catch { throw state.located(error, index) }
    }

    /// Writes an embedded value as an object.
    @inline(__always)
    mutating func encodeObject<V: EmbeddedValue>(_ value: V, at index: Int) throws {
        try state.begin(index)
        do { try writeRecord(value, V.Mapper.self) } catch { throw state.located(error, index) }
    }

    /// Writes a list.
    @inline(__always)
    mutating func encodeList<V: FieldValue>(_ value: [V], at index: Int) throws {
        try state.begin(index)
        do { try writeList(value) } catch { throw state.located(error, index) }
    }

    /// Writes the elements of a list.
    @inline(__always)
    private mutating func writeList<V: FieldValue>(_ value: [V]) throws {
        var outer = DocumentEncoderState<Writer>.Level()
        swap(&outer, &state.level)
        do {
            try state.writer.beginList(count: value.count)
            for (position, element) in value.enumerated() {
                try state.writer.beginElement(position: position)
                try element.encode(to: &self, at: position)
            }
            try state.writer.endList(count: value.count)
        } catch {
            swap(&outer, &state.level)
            throw error
        }
        swap(&outer, &state.level)
    }

    /// Writes a map.
    @inline(__always)
    mutating func encodeMap<V: FieldValue>(_ value: [String: V], at index: Int) throws {
        try state.begin(index)
        do { try writeMap(value) } catch { throw state.located(error, index) }
    }

    /// Writes the entries of a map in ascending order of their keys, so that equal maps have equal
    /// bytes.
    @inline(__always)
    private mutating func writeMap<V: FieldValue>(_ value: [String: V]) throws {
        var outer = DocumentEncoderState<Writer>.Level()
        swap(&outer, &state.level)
        let entries = value.sorted { String.identifierPrecedes($0.key, $1.key) }
        var key = ""
        do {
            try state.writer.beginMap(count: value.count)
            for (position, entry) in entries.enumerated() {
                key = entry.key
                try state.writer.writeMapKey(key, position: position)
                try entry.value.encode(to: &self, at: position)
            }
            try state.writer.endMap(count: value.count)
        } catch {
            swap(&outer, &state.level)
            throw FieldFailure.replacing(key, error)
        }
        swap(&outer, &state.level)
    }
}
