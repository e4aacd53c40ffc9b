internal import Foundation

/// Reads a record's fields from a keyed container of any `Decoder`.
struct CodableFieldDecoder: FieldDecoder {
    private let container: KeyedDecodingContainer<FieldKey>
    private let layout: FieldLayout

    init(_ decoder: any Decoder, layout: FieldLayout) throws {
        container = try decoder.container(keyedBy: FieldKey.self)
        self.layout = layout
    }

    /// The key the field is stored under: its own, or the newest of its earlier names that is there.
    private func key(_ index: Int) -> FieldKey {
        let field = layout.fields[index]
        let own = FieldKey(field.name)
        if field.renamedFrom.isEmpty || container.contains(own) { return own }
        let earlier = field.renamedFrom.lazy
            .filter { layout.indexByKey[$0] == index }
            .map { FieldKey($0) }
        return earlier.first { container.contains($0) } ?? own
    }

    private func value<V: Decodable>(at index: Int) throws -> V {
        try container.decode(V.self, forKey: key(index))
    }

    mutating func contains(at index: Int) throws -> Bool { container.contains(key(index)) }

    mutating func decodeNil(at index: Int) throws -> Bool {
        let key = key(index)
        return try !container.contains(key) || container.decodeNil(forKey: key)
    }

    mutating func decodeBool(at index: Int) throws -> Bool { try value(at: index) }
    mutating func decodeInteger(at index: Int) throws -> Int64 { try value(at: index) }
    mutating func decodeFloat(at index: Int) throws -> Float { try value(at: index) }
    mutating func decodeDouble(at index: Int) throws -> Double { try value(at: index) }
    mutating func decodeDecimal(at index: Int) throws -> Decimal { try value(at: index) }
    mutating func decodeDate(at index: Int) throws -> Date { try value(at: index) }
    mutating func decodeUUID(at index: Int) throws -> UUID { try value(at: index) }
    mutating func decodeURL(at index: Int) throws -> URL { try value(at: index) }
    mutating func decodeString(at index: Int) throws -> String { try value(at: index) }
    mutating func decodeData(at index: Int) throws -> Data { try value(at: index) }

    mutating func decodeComposite<V: CompositeEntityID>(_ type: V.Type, at index: Int) throws -> V {
        try value(at: index)
    }

    mutating func decodeObject<V: EmbeddedValue>(_ type: V.Type, at index: Int) throws -> V {
        try value(at: index)
    }

    mutating func decodeList<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [V] {
        let boxes: [CodableBox<V>] = try value(at: index)
        return boxes.map(\.value)
    }

    mutating func decodeMap<V: FieldValue>(_ type: V.Type, at index: Int) throws -> [String: V] {
        let boxes: [String: CodableBox<V>] = try value(at: index)
        return boxes.mapValues(\.value)
    }
}
