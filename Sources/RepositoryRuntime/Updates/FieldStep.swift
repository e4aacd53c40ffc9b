/// One change that ``EntityRepository/updateAll(_:set:)`` makes to a field of each record.
struct FieldStep: Sendable, Hashable {
    /// The kind of a change, with the encoded value.
    enum Action: Sendable, Hashable {
        case set(StoredValue)
        case add(StoredValue)
        case subtract(StoredValue)
        case append(StoredValue)
        /// A change whose value cannot be encoded, with the reason. ``invalidReason(in:)`` reports it
        /// before any record is read.
        case invalid(String)
    }

    let path: FieldPath
    let action: Action

    init(_ path: FieldPath, _ action: Action) {
        self.path = path
        self.action = action
    }

    static func set<V: FieldValue>(_ value: V, at path: FieldPath) -> Self {
        encoding(value, at: path) { .set($0) }
    }

    /// Creates a step from a value. A value that cannot be encoded gives an invalid step.
    static func encoding<V: FieldValue>(
        _ value: V, at path: FieldPath, _ action: (StoredValue) -> Action
    ) -> Self {
        do {
            return Self(path, action(try StoredValue(encoding: value)))
        } catch {
            return Self(path, .invalid("\(error)"))
        }
    }

    /// The reason why the change is not possible in the table; nil if it is.
    func invalidReason(in table: EntityTable) -> String? {
        let name = path.text(in: table.layout)
        if table.key.contains(path.field) {
            return "The id of a record cannot be changed, and '\(name)' is a part of it."
        }
        if path.field == table.versionField {
            return "The store sets the version of a record, '\(name)'."
        }
        if table.onlyReadFields.contains(path.field) {
            return "The field '\(name)' is only read from the database."
        }
        if table.externalFields.contains(path.field), case .set(let value) = action, value != .null
        {
            return "The external data '\(name)' is set through the property of a record."
        }
        if case .invalid(let reason) = action {
            return "The value for '\(name)' cannot be stored: \(reason)."
        }
        return nil
    }

    /// Applies the change to the field values of a record.
    ///
    /// - Throws: `numberOverflow`, without the id of the record.
    func apply(to record: inout [StoredValue], of table: EntityTable) throws {
        let type = table.layout.fields[path.field].type
        do {
            record[path.field] = try changed(record[path.field], type, path.names[...])
        } catch is NumberRange.Overflow {
            let field = path.text(in: table.layout)
            throw CRUDRepositoryError(
                .numberOverflow, "The new value exceeds the range of the field '\(field)'.",
                table: table.name, field: field)
        }
    }

    /// The value after the change of a field inside it, at the path `names`.
    private func changed(
        _ value: StoredValue, _ type: StoredType, _ names: ArraySlice<String>
    ) throws -> StoredValue {
        guard let name = names.first else { return try changed(value, type) }
        // A missing embedded value has no fields to change.
        guard case .object(var fields) = value, case .object(let layout) = type,
            let field = layout.fields.first(where: { $0.name == name })
        else { return value }
        let inner = try changed(fields[name] ?? .null, field.type, names.dropFirst())
        fields[name] = inner == .null ? nil : inner
        return .object(fields)
    }

    /// The value after the change.
    private func changed(_ value: StoredValue, _ type: StoredType) throws -> StoredValue {
        switch action {
        case .set(let new):
            return new
        case .add(let amount):
            return try NumberRange.sum(value, amount, as: type)
        case .subtract(let amount):
            return try NumberRange.difference(value, amount, as: type)
        case .append(let element):
            guard case .list(let elements) = value else { return value }
            return .list(elements + [element])
        case .invalid:
            // `invalidReason(in:)` has rejected such an update before.
            return value
        }
    }
}

/// The values of updates are not printed, as those of conditions are not.
extension FieldStep.Action: CustomStringConvertible, CustomReflectable {
    var description: String {
        switch self {
        case .set: "= ?"
        case .add: "+= ?"
        case .subtract: "-= ?"
        case .append: "append ?"
        case .invalid: "invalid"
        }
    }

    var customMirror: Mirror { Mirror(hiding: self) }
}
