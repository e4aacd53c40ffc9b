internal import Mustache

/// The render context of a mapper: of an entity, of an embedded value or of a composite id.
struct MapperLayer {
    /// A description of what it maps: `` a ``Book`` and its fields ``.
    var mapped: String
    /// The name of the mapper type.
    var name: String
    /// The protocol: `EntityMapper` or `RecordMapper`.
    var conformance: String
    /// The mapped type.
    var record: String
    /// The mapped type in prose.
    var noun: String
    /// The static properties for text patterns, one line each.
    var patterns: [String] = []
    /// The table of an entity. Nil for other mappers.
    var table: TableLayer?
    /// The descriptions of the fields, one line each. Nil for an entity, whose table contains them.
    var descriptions: [String]?
    /// The record's name as a string literal.
    var recordName: String
    /// The generic parameter of `encode(_:to:)`. Like the following names, it is chosen so that no
    /// type or field of the schema hides it.
    var encoder: String
    /// The generic parameter of `decode(from:)`.
    var decoder: String
    /// The parameter of `decode(from:)`.
    var source: String
    /// The parameter of `encode(_:to:)` and `prepare(_:for:)`, which is the record.
    var variable: String
    /// The statements that encode the fields: `try fields.encode(book.title, at: 1)`.
    var encodings: [String]
    /// The statements that decode the fields and create the record.
    var decodings: [String]
    /// The statements that prepare a record for a write. They round values and set timestamps, then
    /// check constraints.
    var preparations: [String] = []
    /// The statements that set the dates of creation.
    var creations: [String] = []
    /// The expression that reads and sets the version: `book.revision`.
    var versionPlace: String?
    /// The expression that reads and sets the time of the deletion: `book.deletedAt`.
    var deletionPlace: String?
    /// The statements that replace the values of the external fields.
    var externalChanges: [String] = []
}

extension MapperLayer: MemberLayer {
    static let members = Members<Self, Any>([
        "encodings": { $0.encodings.block(8) },
        "hasEncodings": { !$0.encodings.isEmpty },
        // An empty body is closed on the same line.
        "opening": { $0.encodings.isEmpty ? "{}" : "{" },
        "hasFields": { $0.descriptions?.isEmpty == false },
        "decodings": { $0.decodings.block(8) },
        "record": { $0.record },
        "variable": { $0.variable },
        "encoder": { $0.encoder },
        "decoder": { $0.decoder },
        "source": { $0.source },
        "mapped": { $0.mapped },
        "mapperName": { $0.name },
        "protocol": { $0.conformance },
        "of": { $0.noun },
        "patterns": { $0.patterns },
        "hasPatterns": { !$0.patterns.isEmpty },
        "table": { orFalse($0.table) },
        "layout": { $0.descriptions != nil },
        "descriptions": { ($0.descriptions ?? []).block(16) },
        "recordName": { $0.recordName },
        "preparation": { !$0.preparations.isEmpty },
        "preparations": { $0.preparations.block(8) },
        "creation": { !$0.creations.isEmpty },
        "creations": { $0.creations.block(8) },
        "version": { $0.versionPlace != nil },
        "versionPlace": { $0.versionPlace ?? "" },
        "deletion": { $0.deletionPlace != nil },
        "deletionPlace": { $0.deletionPlace ?? "" },
        "external": { !$0.externalChanges.isEmpty },
        "externalChanges": { $0.externalChanges.block(8) },
    ])
}

/// The render context of the static table description of an entity.
struct TableLayer {
    /// The table's name, in backticks.
    var name: String
    /// The expression that starts the description.
    var start: String
    /// One statement per field and index.
    var statements: [String]
}

extension TableLayer: MemberLayer {
    static let members = Members<Self, Any>([
        "tableName": { $0.name },
        "start": { $0.start },
        "statements": { $0.statements.block(8) },
    ])
}
