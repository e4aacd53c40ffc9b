/// A difference between stored data and a declared schema that no step resolves.
package enum SchemaDifference: Sendable, Hashable {
    /// The data had the declared schema before and has changed since.
    case newerProgram
    /// A stored table is not declared.
    case tableRemoved(String)
    /// A table that another set shares is declared differently. The steps are those that the table
    /// would need.
    case tableShared(table: String, set: String, steps: [SchemaStep])
    /// The id consists of other fields, or of the same in another order.
    case idChanged(table: String, stored: [String], declared: [String])
    /// A stored field is not declared.
    case fieldRemoved(SchemaPlace)
    /// A field or member is new, and stored records have no value for it.
    case fieldAdded(SchemaPlace)
    /// A column cannot be renamed, because the new name is that of another stored column.
    case columnTaken(table: String, from: String, to: String)
    /// The columns of a field have another representation; nil is the default of the type.
    case columnTypeChanged(SchemaPlace, stored: String?, declared: String?)
    /// The type has changed.
    case typeChanged(SchemaPlace, stored: StoredShape, declared: StoredShape)
    /// A field or member is stored as optional and declared as required.
    case becameRequired(SchemaPlace)
    /// A stored case of an enum is not declared.
    case caseRemoved(SchemaPlace, String)
    /// A field has become a reference to a table.
    case referenceAdded(SchemaPlace, to: String)
    /// A field refers to another table.
    case referenceChanged(SchemaPlace, stored: String, declared: String)
    /// A stored member of an embedded value is not declared.
    case memberRemoved(SchemaPlace)
    /// The records are stored in another format.
    case formatChanged(stored: String, declared: String)
    /// Another field counts the updates of a record, or none does.
    case versionFieldChanged(table: String)
    /// A field marks deleted records, and the declared table has no such field or another one.
    case softDeleteRemoved(SchemaPlace)
    /// Stored records contain fields under names that the program does not look for.
    case recordsOutdated(table: String)
    /// A change that a running program cannot continue with, although opening the store again
    /// resolves it.
    case changed(SchemaStep)
}

extension SchemaDifference {
    /// The kind of the difference.
    package var code: SchemaChangeCode {
        switch self {
        case .newerProgram: .newerProgram
        case .tableRemoved: .tableRemoved
        case .tableShared: .tableShared
        case .idChanged: .idChanged
        case .fieldRemoved: .fieldRemoved
        case .fieldAdded(let place):
            place.members.isEmpty ? .requiredFieldAdded : .requiredMemberAdded
        case .columnTaken: .columnTaken
        case .columnTypeChanged: .columnTypeChanged
        case .typeChanged: .typeChanged
        case .becameRequired: .becameRequired
        case .caseRemoved: .caseRemoved
        case .referenceAdded: .referenceAdded
        case .referenceChanged: .referenceChanged
        case .memberRemoved: .memberRemoved
        case .formatChanged: .formatChanged
        case .versionFieldChanged: .versionFieldChanged
        case .softDeleteRemoved: .softDeleteRemoved
        case .recordsOutdated: .recordsOutdated
        case .changed(let step): step.code
        }
    }

    /// The field or member concerned; nil for a difference of a whole table or store.
    package var place: SchemaPlace? {
        switch self {
        case .fieldRemoved(let place), .fieldAdded(let place), .columnTypeChanged(let place, _, _),
            .typeChanged(let place, _, _), .becameRequired(let place), .caseRemoved(let place, _),
            .referenceAdded(let place, _), .referenceChanged(let place, _, _),
            .memberRemoved(let place), .softDeleteRemoved(let place):
            place
        case .changed(let step): step.field.map { SchemaPlace(table: step.table, field: $0) }
        case .newerProgram, .tableRemoved, .tableShared, .idChanged, .columnTaken, .formatChanged,
            .versionFieldChanged, .recordsOutdated:
            nil
        }
    }

    /// The name of the table concerned, the declared one if there is one; nil for a difference of
    /// the whole store.
    package var table: String? {
        switch self {
        case .newerProgram, .formatChanged: nil
        case .tableRemoved(let table), .tableShared(let table, _, _), .idChanged(let table, _, _),
            .columnTaken(let table, _, _), .versionFieldChanged(let table),
            .recordsOutdated(let table):
            table
        case .changed(let step): step.table
        default: place?.table
        }
    }
}

extension SchemaDifference: CustomStringConvertible {
    /// The difference as a sentence without a final period, for messages.
    package var description: String {
        switch self {
        case .newerProgram:
            "it was written by a newer program: the data has been through the schema of this program and has changed since"
        case .tableRemoved(let table): "the table '\(table)' is stored and not declared"
        case .tableShared(let table, let set, let steps):
            "the table '\(table)' is shared with the set '\(set)', and one set alone cannot change it"
                + (steps.isEmpty ? "" : ": \(steps.map(\.words).joined(separator: ", "))")
        case .idChanged(let table, let stored, let declared):
            "the id of '\(table)' is stored as \(Self.list(stored)) and declared as \(Self.list(declared))"
        case .fieldRemoved(let place), .memberRemoved(let place):
            "\(place) is stored and not declared"
        case .fieldAdded(let place):
            "\(place) is new and neither optional nor has a constant default"
        case .columnTaken(let table, let from, let to):
            "the column '\(from)' of '\(table)' cannot be renamed to '\(to)', which is stored too"
        case .columnTypeChanged(let place, let stored, let declared):
            "\(place) is stored in \(Self.form(stored)) and declared in \(Self.form(declared))"
        case .typeChanged(let place, let stored, let declared):
            "\(place) is stored as \(stored) and declared as \(declared)"
        case .becameRequired(let place):
            "\(place) is stored as optional and declared as required"
        case .caseRemoved(let place, let name):
            "the case '\(name)' of \(place) is stored and not declared: it was removed, renamed, or added by a newer program"
        case .referenceAdded(let place, let table):
            "\(place) is declared as a reference to '\(table)', and what is stored may refer to nothing"
        case .referenceChanged(let place, let stored, let declared):
            "\(place) is stored as a reference to '\(stored)' and declared as one to '\(declared)'"
        case .formatChanged(let stored, let declared):
            "its records are stored as '\(stored)', not as '\(declared)'"
        case .versionFieldChanged(let table):
            "another field counts the updates of the records of '\(table)', or none does"
        case .softDeleteRemoved(let place):
            "\(place) marks deleted records and is not declared to do so: they would come back"
        case .recordsOutdated(let table):
            "the records of '\(table)' hold fields under other names"
        case .changed(let step): "'\(step.table)': \(step.words)"
        }
    }

    /// Returns quoted names, separated by commas.
    private static func list(_ names: [String]) -> String {
        names.map { "'\($0)'" }.joined(separator: ", ")
    }

    /// Returns a representation of columns in words.
    private static func form(_ storedAs: String?) -> String {
        storedAs.map { "the form '\($0)'" } ?? "the usual form"
    }
}
