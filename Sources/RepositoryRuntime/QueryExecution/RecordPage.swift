/// A part of the records that the access of a plan finds.
enum RecordPage<E: Entity> {
    /// Records returned by a store.
    case entities([E])
    /// The next part of the records that a store holds in memory, with the maximum number of
    /// records.
    case kept(KeptRecords<E>, limit: Int)
}

/// A reference to a record found by a query, valid only during the visit.
struct FoundRecord<E: Entity> {
    /// The array that contains the record; empty for an in-memory record.
    private let page: [E]
    /// The index in ``page``.
    private let place: Int
    /// The in-memory record; nil for a record that a store returned.
    private let kept: MemoryRecord?

    /// References a record in an array that a store returned.
    init(_ page: [E], _ place: Int) {
        self.page = page
        self.place = place
        kept = nil
    }

    /// References a record in the memory of a store.
    init(_ kept: MemoryRecord) {
        page = []
        place = 0
        self.kept = kept
    }

    /// The entity, which is copied on access.
    var entity: E { kept?.entity(E.self) ?? page[place] }
}

extension RecordPage {
    /// Returns the record that a visit reported with this index and this in-memory record.
    func record(at place: Int, _ kept: MemoryRecord?) -> FoundRecord<E> {
        if let kept { return FoundRecord(kept) }
        guard case .entities(let entities) = self else { return FoundRecord([], place) }
        return FoundRecord(entities, place)
    }

    /// Calls a body with each record, until it returns false. The arguments are the index in the
    /// page, the in-memory record if the store holds one, and the extracted field values.
    ///
    /// - Parameter fields: extracts the field values; nil if none is needed.
    /// - Returns: the number of records for which the body was called.
    mutating func visit(
        _ fields: inout StoredFields?,
        _ body: (Int, MemoryRecord?, [StoredValue]) throws -> Bool
    ) throws -> Int {
        guard var list = fields.take() else { return try visit { try body($0, $1, []) } }
        defer { fields = list }
        guard case .entities(let entities) = self else {
            return try visit { place, kept in
                if let kept { try list.take(kept, E.self) }
                return try body(place, kept, list.values)
            }
        }
        for place in entities.indices {
            try list.take(entities[place], E.Mapper.self)
            if try !body(place, nil, list.values) { return place + 1 }
        }
        return entities.count
    }

    /// Calls a body with each record without extracting fields. For in-memory records, the cursor
    /// in `self` advances.
    private mutating func visit(_ body: (Int, MemoryRecord?) throws -> Bool) throws -> Int {
        switch self {
        case .entities(let entities):
            for place in entities.indices where try !body(place, nil) { return place + 1 }
            return entities.count
        case .kept(var records, let limit):
            let seen = try records.visitNext(limit: limit) { try body(0, $0) }
            self = .kept(records, limit: limit - seen)
            return seen
        }
    }
}

extension StoredFields {
    /// Extracts the fields of a record.
    @inline(__always)
    fileprivate mutating func take<M: RecordMapper>(_ record: M.Record, _ mapper: M.Type) throws {
        try mapper.collect(record, into: &self)
    }

    /// Extracts the fields of an in-memory record, which must belong to a table of this type.
    @inline(__always)
    fileprivate mutating func take<E: Entity>(_ record: MemoryRecord, _ type: E.Type) throws {
        try E.Mapper.collect(record.entity(type), into: &self)
    }
}
