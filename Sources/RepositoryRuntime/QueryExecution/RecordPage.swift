/// Some of the records that a query finds.
enum RecordPage<E: Entity> {
    /// Records that a store has handed out.
    case entities([E])
    /// The next part of those that a store keeps in memory, so many at most.
    case kept(KeptRecords<E>, limit: Int)
}

/// A record that a query looks at, while it does so.
struct FoundRecord<E: Entity> {
    private let page: [E]
    private let place: Int
    private let kept: MemoryRecord?

    /// A record that a store has handed out with others.
    init(_ page: [E], _ place: Int) {
        self.page = page
        self.place = place
        kept = nil
    }

    /// A record where a store keeps it.
    init(_ kept: MemoryRecord) {
        page = []
        place = 0
        self.kept = kept
    }

    /// The record itself, of which this makes a copy.
    var entity: E { kept?.entity(E.self) ?? page[place] }
}

extension RecordPage {
    /// The record at a place that was given together with what a store keeps there.
    func record(at place: Int, _ kept: MemoryRecord?) -> FoundRecord<E> {
        if let kept { return FoundRecord(kept) }
        guard case .entities(let entities) = self else { return FoundRecord([], place) }
        return FoundRecord(entities, place)
    }

    /// Gives each record to a body, until it answers false: its place, where a store keeps it, and what is looked at of it.
    ///
    /// - Parameter fields: takes the fields out; nil where nobody looks at any.
    /// - Returns: how many records the body was given.
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
    /// Takes a record apart.
    @inline(__always)
    fileprivate mutating func take<M: RecordMapper>(_ record: M.Record, _ mapper: M.Type) throws {
        try mapper.take(record, into: &self)
    }

    /// Takes a record apart where a table of such entities keeps it.
    @inline(__always)
    fileprivate mutating func take<E: Entity>(_ record: MemoryRecord, _ type: E.Type) throws {
        try E.Mapper.take(record.entity(type), into: &self)
    }
}
