internal import Foundation

/// Where a field encoder stands: the object it is writing, or a list or a map.
struct DocumentEncoderState<Writer: DocumentWriter> {
    var writer: Writer
    /// The object's layout; nil among elements, which have no keys.
    var layout: FieldLayout?
    var keys: EncodedKeys?
    /// The members written of the object.
    var count = 0

    init(_ writer: Writer) {
        self.writer = writer
    }

    /// Writes the key of the field at `index`, if there are keys here.
    @inline(__always)
    mutating func begin(_ index: Int) throws {
        guard let keys else { return }
        try writer.writeKey(keys, index, position: count)
        count += 1
    }
}

/// A field encoder of a format. Each format has a concrete one, because the methods of a generic type would not be
/// specialised where generated code calls them.
protocol DocumentFieldEncoder: FieldEncoder {
    associatedtype Writer: DocumentWriter
    var state: DocumentEncoderState<Writer> { get set }
}

extension DocumentFieldEncoder {
    /// Writes a record as an object.
    mutating func writeRecord<M: RecordMapper>(_ record: M.Record, _ mapper: M.Type) throws {
        let layout = mapper.layout
        let outer = (state.layout, state.keys, state.count)
        state.layout = layout
        state.keys = Writer.keys(of: layout)
        state.count = 0
        let mark = try state.writer.beginObject()
        try mapper.encode(record, to: &self)
        try state.writer.endObject(mark, count: state.count)
        (state.layout, state.keys, state.count) = outer
    }

    /// Writes values that have no layout, each as `body` says.
    private mutating func writeElements(at index: Int, _ body: (inout Self) throws -> Void) throws {
        let outer = (state.layout, state.keys)
        (state.layout, state.keys) = (nil, nil)
        defer { (state.layout, state.keys) = outer }
        try body(&self)
    }

    /// Writes one value, with the field's name in the path of an error.
    @inline(__always)
    private mutating func writeValue(at index: Int, _ body: (inout Self) throws -> Void) throws {
        try state.begin(index)
        do {
            try body(&self)
        } catch {
            throw FieldFailure.inside(state.layout, index, error)
        }
    }
}

extension DocumentFieldEncoder {
    mutating func encodeNil(at index: Int) throws {
        // A null among fields is left out, as synthesised `Codable` does.
        if state.keys == nil { try state.writer.writeNull() }
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
        try writeValue(at: index) { try $0.state.writer.write(value) }
    }

    mutating func encodeDouble(_ value: Double, at index: Int) throws {
        try writeValue(at: index) { try $0.state.writer.write(value) }
    }

    mutating func encodeDecimal(_ value: Decimal, at index: Int) throws {
        try writeValue(at: index) { try $0.state.writer.write(value) }
    }

    mutating func encodeDate(_ value: Date, at index: Int) throws {
        try writeValue(at: index) { try $0.state.writer.write(value) }
    }

    mutating func encodeUUID(_ value: UUID, at index: Int) throws {
        try state.begin(index)
        try state.writer.write(value)
    }

    mutating func encodeURL(_ value: URL, at index: Int) throws {
        try writeValue(at: index) { try $0.state.writer.write(value) }
    }

    mutating func encodeString(_ value: String, at index: Int) throws {
        try writeValue(at: index) { try $0.state.writer.write(value) }
    }

    mutating func encodeData(_ value: Data, at index: Int) throws {
        try state.begin(index)
        try state.writer.write(value)
    }
}

extension DocumentFieldEncoder {
    mutating func encodeComposite<V: CompositeEntityID>(_ value: V, at index: Int) throws {
        let outer = (state.layout, state.keys)
        try state.begin(index)
        do {
            try writeRecord(value, V.Mapper.self)
        } catch {
            (state.layout, state.keys) = outer
            throw FieldFailure.inside(state.layout, index, error)
        }
    }

    mutating func encodeObject<V: EmbeddedValue>(_ value: V, at index: Int) throws {
        let outer = (state.layout, state.keys)
        try state.begin(index)
        do {
            try writeRecord(value, V.Mapper.self)
        } catch {
            (state.layout, state.keys) = outer
            throw FieldFailure.inside(state.layout, index, error)
        }
    }

    mutating func encodeList<V: FieldValue>(_ value: [V], at index: Int) throws {
        try writeValue(at: index) {
            try $0.writeElements(at: index) { encoder in
                try encoder.state.writer.beginList(count: value.count)
                for (position, element) in value.enumerated() {
                    try encoder.state.writer.beginElement(position: position)
                    try element.encode(to: &encoder, at: position)
                }
                try encoder.state.writer.endList(count: value.count)
            }
        }
    }

    mutating func encodeMap<V: FieldValue>(_ value: [String: V], at index: Int) throws {
        try writeValue(at: index) {
            try $0.writeElements(at: index) { encoder in
                try encoder.state.writer.beginMap(count: value.count)
                let entries = value.sorted { String.identifierPrecedes($0.key, $1.key) }
                for (position, entry) in entries.enumerated() {
                    do {
                        try encoder.state.writer.writeMapKey(entry.key, position: position)
                        try entry.value.encode(to: &encoder, at: position)
                    } catch {
                        throw FieldFailure.replacing(entry.key, error)
                    }
                }
                try encoder.state.writer.endMap(count: value.count)
            }
        }
    }
}
