/// The entities that describe a database, before they are written.
struct SchemaDraft {
    /// The name of the set.
    var name: String
    /// The entities, in the order of their tables.
    var entities: [EntityDraft]
    /// What of the database no entity describes.
    var leftOut: [Note]
    /// Entities that a person has to complete: views in which nothing was seen to be unique.
    var incomplete: [EntityDraft] = []
    /// The store of the database, as `stores` names it.
    var store = "sqlite"
    /// Whether columns are named as they are written, instead of in snake case.
    var keepsNames = false
}

/// A remark about something that is not described, or described otherwise than one may expect.
struct Note: Equatable {
    /// What it is about: `column "x"`.
    let subject: String
    let text: String

    var line: String { subject.isEmpty ? text : "\(subject): \(text)" }
}

/// An entity before it is written.
struct EntityDraft {
    let table: ReadTable
    var name: String
    /// The fields in the order of the columns, including those of the key.
    var fields: [FieldDraft] = []
    /// The positions of the fields that are the id.
    var id: [Int] = []
    /// Whether the columns of the id are the primary key of the table.
    var isPrimary = true
    /// Whether the id is the number of the row.
    var isRowNumbered = false
    /// Why the records are only read; `nil` if they can be written.
    var readOnlyReason: String?
    var indexes: [IndexDraft] = []
    var checks: [CheckDraft] = []
    var relations: [RelationDraft] = []
    /// Remarks about the whole table.
    var notes: [Note] = []

    /// Why a store cannot take the table over: what it would lose; `nil` if it can.
    var lossOfTakingOver: String? {
        if let readOnlyReason { return "it is only read, because it \(readOnlyReason)" }
        if let note = notes.first { return note.line }
        for field in fields {
            if case .plain(.anyText) = field.type {
                return "the field '\(field.name)' has values of several kinds"
            }
            if field.isComputed { return "the database computes the field '\(field.name)'" }
            if let note = field.notes.first(where: { $0.subject.hasPrefix("CHECK") }) {
                return note.line
            }
        }
        return nil
    }

    /// Returns the position of the field of a column.
    func field(ofColumn column: Int) -> Int? { fields.firstIndex { $0.column == column } }
}

/// A field before it is written.
struct FieldDraft {
    /// The position of its column.
    let column: Int
    var name: String
    var type: FieldType
    let isOptional: Bool
    /// The keys besides the type and the column, with values in YAML.
    var options: [(key: String, value: String)] = []
    /// Remarks.
    var notes: [Note] = []

    /// Whether only its database writes the field.
    var isComputed = false

    /// The property that the generator makes of the field.
    var property: String { reference == nil ? name : name + "ID" }

    /// The name of the table to which the field refers; `nil` for other fields.
    var reference: String? {
        guard case .reference(let table, _) = type else { return nil }
        return table
    }
}

/// The type of a field before it is written.
enum FieldType {
    case plain(GuessedType)
    /// A reference to the entity of a table, with its name.
    case reference(table: String, entity: String)

    var name: String {
        switch self {
        case .plain(let type): type.name
        case .reference(_, let entity): entity
        }
    }
}

/// An index over several fields before it is written.
struct IndexDraft {
    /// The name of the index in the database.
    let name: String
    /// Names of fields, with `-` before descending ones.
    let keys: [String]
    let isUnique: Bool
}

/// A check before it is written.
struct CheckDraft {
    /// The position among the constraints of the table.
    let position: Int
    let name: String
    let condition: String
}

/// A relation before it is written.
struct RelationDraft {
    /// The table and the column that refer to the entity.
    let origin: String
    var name: String
    /// The name of the entity that is loaded.
    let target: String
    let by: String?
    let through: String?
    /// The field by which the records are sorted.
    var sort: String?
}
