/// The types that describe the file of an object database, before they are written.
struct ObjectDraft {
    /// The database, as `from` names it.
    let database: String
    /// The name of the set.
    var name = ""
    /// The types, in the order of their tables; what a type needs follows it.
    var types: [ObjectTypeDraft] = []
    /// What of the file no type describes.
    var leftOut: [Note] = []
}

/// An entity, value, union or enum before it is written.
struct ObjectTypeDraft {
    enum Kind: String {
        case entity, value, union
        case enumeration = "enum"
    }

    let kind: Kind
    /// What the parts of the type are identified by: the table, or a table and a property.
    let origin: String
    let name: String
    /// What it is, for the report.
    let report: String
    /// The class, or the list of a class, that the records are taken from.
    var from: String?
    /// The namespace in which keys of objects become UUIDs.
    var namespace: String?
    /// The names of the fields of a composite id.
    var compositeID: [String] = []
    /// The fields; the first is the id unless it is composite. The cases of an enum have their raw
    /// values as types.
    var fields: [ObjectFieldDraft] = []
    /// Whether an enum may have further raw values.
    var isOpen = false
    /// The fields of the indexes over several ones.
    var indexes: [[String]] = []
    /// Those of the unique indexes.
    var uniqueIndexes: [[String]] = []
    var relations: [RelationDraft] = []
    /// What is not described.
    var notes: [Note] = []

    /// Adds a relation to the records of another type, unless it was refused.
    mutating func addRelation(
        _ wanted: String, _ origin: String, to target: String, by field: String, sort: String?,
        _ refusals: [SchemaPart: String]
    ) {
        guard refusals[.relation(self.origin, origin)] == nil else { return }
        let isRefused = refusals[.relationName(self.origin, origin)] != nil
        let taken = Set(fields.flatMap { [$0.name, $0.name + "ID"] } + relations.map(\.name))
        let name = ImportedName.unique(isRefused ? wanted + "Records" : wanted) {
            taken.contains($0)
        }
        relations.append(
            RelationDraft(
                origin: origin, name: name, target: target, by: field, through: nil, sort: sort))
    }
}

/// A field, or a case of a union, before it is written.
struct ObjectFieldDraft {
    /// The position of the property; negative for what is no property.
    let column: Int
    let name: String
    /// The type in the schema language.
    let type: String
    /// The keys besides the type, with values in YAML.
    var options: [(key: String, value: String)] = []
    /// What it is taken from.
    var from: String?
    /// What it is in the file, for the report.
    let report: String
    /// Remarks.
    var notes: [Note] = []
    /// The entity that it refers to.
    var target: String?
}
