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

extension MapperLayer: MustacheParent {
    func child(named name: String) -> Any? {
        switch name {
        case "encodings": encodings.block(8)
        case "hasEncodings": !encodings.isEmpty
        // A body without statements stays on the line.
        case "opening": encodings.isEmpty ? "{}" : "{"
        case "hasFields": descriptions?.isEmpty == false
        case "decodings": decodings.block(8)
        case "record": record
        case "variable": variable
        case "encoder": encoder
        case "decoder": decoder
        case "source": source
        case "mapped": mapped
        case "mapperName": self.name
        case "protocol": conformance
        case "of": noun
        case "patterns": patterns
        case "hasPatterns": !patterns.isEmpty
        case "table": table ?? false
        case "layout": descriptions != nil
        case "descriptions": (descriptions ?? []).block(16)
        case "recordName": recordName
        case "preparation": !preparations.isEmpty
        case "preparations": preparations.block(8)
        case "version": versionPlace != nil
        case "versionPlace": versionPlace ?? ""
        default: nil
        }
    }
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

extension TableLayer: MustacheParent {
    func child(named name: String) -> Any? {
        switch name {
        case "tableName": self.name
        case "start": start
        case "statements": statements.block(8)
        default: nil
        }
    }
}
