internal import Mustache

/// A mapper: of an entity, of an embedded value or of a composite id.
struct MapperLayer {
    /// What it maps, in prose: `` a ``Book`` and its fields ``.
    var mapped: String
    /// The mapper's name.
    var name: String
    /// `EntityMapper` or `RecordMapper`.
    var conformance: String
    /// The type it maps.
    var record: String
    /// That type in prose.
    var noun: String
    /// The static patterns, a line each.
    var patterns: [String] = []
    /// An entity's table.
    var table: TableLayer?
    /// The descriptions of the fields, a line each; nil for an entity, whose table has them.
    var descriptions: [String]?
    /// The record's name as a string literal.
    var recordName: String
    /// The generic parameters and parameters that no type and no field of the schema hides.
    var encoder: String
    var decoder: String
    var source: String
    var variable: String
    /// The statements.
    var encodings: [String]
    var decodings: [String]
    var preparations: [String] = []
    /// Where the version is read and set: `book.revision`.
    var versionPlace: String?
}

extension MapperLayer: MemberLayer {
    static let members = Members<Self, Any>([
        "encodings": { $0.encodings.block(8) },
        "hasEncodings": { !$0.encodings.isEmpty },
        // A body without statements stays on the line.
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
        "version": { $0.versionPlace != nil },
        "versionPlace": { $0.versionPlace ?? "" },
    ])
}

/// The static description of an entity's table.
struct TableLayer {
    /// The table's name, in backticks.
    var name: String
    /// The expression that begins the description.
    var start: String
    /// One statement for each field and index.
    var statements: [String]
}

extension TableLayer: MemberLayer {
    static let members = Members<Self, Any>([
        "tableName": { $0.name },
        "start": { $0.start },
        "statements": { $0.statements.block(8) },
    ])
}
