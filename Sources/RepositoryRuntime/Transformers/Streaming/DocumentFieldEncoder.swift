internal import Foundation

/// Where a field encoder stands: the object it is writing, or a list or a map.
struct DocumentEncoderState<Writer: DocumentWriter> {
    /// The object that is being written.
    struct Level {
        /// Nil among elements, which have no keys.
        fileprivate var layout: FieldLayout?
        fileprivate var keys: EncodedKeys?
        /// The members written.
        fileprivate var count = 0
    }

    var writer: Writer
    fileprivate var level = Level()

    init(_ writer: Writer) {
        self.writer = writer
    }

    /// Writes the key of the field at `index`, if there are keys here.
    @inline(__always)
    fileprivate mutating func begin(_ index: Int) throws {
        guard let keys = level.keys else { return }
        try writer.writeKey(keys, index, position: level.count)
        level.count += 1
    }

    fileprivate mutating func enter(_ layout: FieldLayout) throws -> Writer.Mark {
        level.layout = layout
        level.keys = Writer.keys(of: layout)
        return try writer.beginObject()
    }

    /// An error from the value of the field or element at `index`.
    fileprivate func located(_ error: any Error, _ index: Int) -> any Error {
        FieldFailure.inside(level.layout, index, error)
    }
}

/// A field encoder of a format.
///
/// Each format has a concrete one, because generated code calls its methods through a table of a concrete type or not
/// at all fast. What is generic in the value too is always inlined into that type's methods, where the writer is known;
/// the compiler specialises for all parameters of a function or for none.
protocol DocumentFieldEncoder: FieldEncoder {
    associatedtype Writer: DocumentWriter
    var state: DocumentEncoderState<Writer> { get set }
    /// Starts a document.
    init()
}

extension DocumentFieldEncoder {
    /// The document of a record: the body of `encodeRecord` of every format.
    ///
    /// - Throws: `invalidItem` or `unsupported`, with the path of a value that the format cannot hold.
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
    /// Writes a record as an object.
    @inline(__always)
    mutating func writeRecord<M: RecordMapper>(_ record: M.Record, _ mapper: M.Type) throws {
        let layout = mapper.layout
        var outer = DocumentEncoderState<Writer>.Level()
        swap(&outer, &state.level)
        // Not `defer`, which is compiled as a function of its own and not specialised.
        do {
            let mark = try state.enter(layout)
            try mapper.encode(record, to: &self)
            // Looked up before: while the writer is being changed, it would be read from a copy of it.
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
    mutating func encodeNil(at index: Int) throws {
        // A null among fields is left out, as synthesised `Codable` does.
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
    @inline(__always)
    mutating func encodeComposite<V: CompositeEntityID>(_ value: V, at index: Int) throws {
        try state.begin(index)
        do { try writeRecord(value, V.Mapper.self) } catch { throw state.located(error, index) }
    }

    @inline(__always)
    mutating func encodeObject<V: EmbeddedValue>(_ value: V, at index: Int) throws {
        try state.begin(index)
        do { try writeRecord(value, V.Mapper.self) } catch { throw state.located(error, index) }
    }

    @inline(__always)
    mutating func encodeList<V: FieldValue>(_ value: [V], at index: Int) throws {
        try state.begin(index)
        do { try writeList(value) } catch { throw state.located(error, index) }
    }

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

    @inline(__always)
    mutating func encodeMap<V: FieldValue>(_ value: [String: V], at index: Int) throws {
        try state.begin(index)
        do { try writeMap(value) } catch { throw state.located(error, index) }
    }

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
