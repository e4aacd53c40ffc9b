/// What gives a field its value when a caller leaves it out.
public enum FieldSupply: Sendable, Hashable {
    /// A new UUID: `default: generated`.
    case generated
    /// The time of the creation: `default: now`.
    case now
    /// A number that the store gives: `default: assigned`.
    case assigned
}

extension EntityTable {
    /// Declares that a field has a new UUID unless the caller sets another one.
    ///
    /// - Parameter name: the name of the property.
    public mutating func generated(_ name: String) { supply(name, by: .generated) }

    /// Declares that the store gives a new record its id.
    ///
    /// - Parameter name: the name of the property.
    public mutating func assigned(_ name: String) { supply(name, by: .assigned) }

    /// Whether the store gives new records their ids.
    var assignsIDs: Bool { key.count == 1 && fields[key[0]].supply == .assigned }

    /// Declares that a field has the time of the creation unless the caller sets another one.
    ///
    /// - Parameter name: the name of the property.
    public mutating func dated(_ name: String) { supply(name, by: .now) }

    /// Declares that the repository sets a field to the time of the creation, and that no update
    /// changes it.
    ///
    /// - Parameter name: the name of the property.
    public mutating func created(_ name: String) {
        update(name) {
            $0.supply = .now
            $0.isCreated = true
        }
        noteCreationDates()
    }

    /// Declares that the repository sets a field to the time of each update.
    ///
    /// - Parameter name: the name of the property.
    public mutating func stamped(_ name: String) {
        update(name) { $0.isStamped = true }
        noteCreationDates()
    }

    private mutating func supply(_ name: String, by supply: FieldSupply) {
        update(name) { $0.supply = supply }
    }
}

/// What repositories do with the fields of a table that are declared `onCreate: now`.
enum CreationDates: Sendable, Hashable {
    /// There are none.
    case none
    /// The creation sets them. Each update sets all of them as well.
    case set
    /// The creation sets them, and updates keep some of them.
    case kept

    /// Determines the kind for the fields of a table.
    init(_ fields: [TableField]) {
        let created = fields.filter(\.isCreated)
        let isKept = created.contains { !$0.isStamped }
        self = created.isEmpty ? .none : isKept ? .kept : .set
    }
}
