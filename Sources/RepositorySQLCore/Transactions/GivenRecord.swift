internal import RepositoryRuntime

/// A record without a version for the statements that write it, so that they store the version that
/// it has.
///
/// SQL stores find the table of an entity by its name, which is that of the record.
struct GivenRecord<Model: Entity>: Entity {
    typealias Mapper = GivenRecordMapper<Model>
    let record: Model

    init(_ record: Model) { self.record = record }

    var id: Model.ID { record.id }
}

/// The mapping of the record, without its version.
enum GivenRecordMapper<Model: Entity>: EntityMapper {
    static var table: EntityTable { Model.Mapper.table }

    static func encode<E: FieldEncoder>(_ given: GivenRecord<Model>, to fields: inout E) throws {
        try Model.Mapper.encode(given.record, to: &fields)
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> GivenRecord<Model> {
        GivenRecord(try Model.Mapper.decode(from: &fields))
    }
}
