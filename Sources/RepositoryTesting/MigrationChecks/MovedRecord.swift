internal import RepositoryRuntime

/// A record of a version.
struct MovedRecord<N: PlaceholderNumber>: Entity {
    typealias ID = EntityID<MovedRecord<N>, Int>
    typealias Mapper = MovedMapper<N>
    typealias Fields = MovedFields<N>

    let id: ID
    var texts: [String?]
    var image: ExternalData?
}

/// The fields that are set when a record is created.
struct MovedFields<N: PlaceholderNumber>: QueryFields {
    typealias QueryRoot = MovedRecord<N>

    var name: QueryField<MovedRecord<N>, String> { .init(1) }
    var title: QueryField<MovedRecord<N>, String> { .init(2) }
    var note: QueryField<MovedRecord<N>, String> { .init(3) }
    var code: QueryField<MovedRecord<N>, String> { .init(4) }
    var memo: QueryField<MovedRecord<N>, String> { .init(5) }
}

/// The mapping of records of a version.
enum MovedMapper<N: PlaceholderNumber>: EntityMapper {
    static var table: EntityTable { N.table }

    /// The index of the external data; nil if there are none.
    private static var image: Int? {
        table.layout.fields.firstIndex { $0.type == .externalData }
    }

    static func encode<E: FieldEncoder>(_ record: MovedRecord<N>, to fields: inout E) throws {
        try fields.encode(record.id, at: 0)
        for (index, text) in record.texts.enumerated() {
            if index < MovingTable.first {
                try fields.encode(text ?? "", at: index + 1)
            } else {
                try fields.encode(text, at: index + 1)
            }
        }
        if let image { try fields.encode(record.image, at: image) }
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> MovedRecord<N> {
        let id = try fields.decode(MovedRecord<N>.ID.self, at: 0)
        let image = image
        var texts: [String?] = []
        for index in 1..<(image ?? table.fields.count) {
            texts.append(
                index <= MovingTable.first
                    ? try fields.decode(String.self, at: index)
                    : try fields.decode(String?.self, at: index))
        }
        return MovedRecord(
            id: id, texts: texts,
            image: try image.flatMap { try fields.decode(ExternalData?.self, at: $0) })
    }

    static func changeExternalData(
        of record: inout MovedRecord<N>, _ change: (ExternalData) throws -> ExternalData
    ) rethrows {
        if let value = record.image { record.image = try change(value) }
    }
}

/// The records of a version.
struct MovedRepository<N: PlaceholderNumber>: EntityRepository, SearchableRepository {
    typealias Model = MovedRecord<N>
    let context: RepositoryContext
    init(_ context: RepositoryContext) { self.context = context }
}
