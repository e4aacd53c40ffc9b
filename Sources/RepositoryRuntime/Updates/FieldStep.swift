/// One thing that an update does to a field of each record.
struct FieldStep: Sendable, Hashable {
    enum Action: Sendable, Hashable {
        case set(StoredValue)
        case add(StoredValue)
        case subtract(StoredValue)
        case append(StoredValue)
        /// A value that has no stored form, and why.
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

    static func encoding<V: FieldValue>(
        _ value: V, at path: FieldPath, _ action: (StoredValue) -> Action
    ) -> Self {
        do {
            return Self(path, action(try StoredValue(encoding: value)))
        } catch {
            return Self(path, .invalid("\(error)"))
        }
    }

    /// Why the step cannot be done to a record of the table; nil where it can.
    func defect(in table: EntityTable) -> String? {
        let name = path.text(in: table.layout)
        if table.key.contains(path.field) {
            return "The id of a record is never changed, and '\(name)' belongs to it."
        }
        if path.field == table.versionField {
            return "The version of a record, '\(name)', is counted by the store."
        }
        if case .invalid(let reason) = action {
            return "A value for '\(name)' cannot be stored: \(reason)."
        }
        return nil
    }

    /// Does the step to the fields of a record.
    ///
    /// - Throws: `numberOverflow` without the id of the record.
    func apply(to record: inout [StoredValue], of table: EntityTable) throws {
        let type = table.layout.fields[path.field].type
        do {
            record[path.field] = try changed(record[path.field], type, path.names[...])
        } catch is NumberRange.Overflow {
            let field = path.text(in: table.layout)
            throw CRUDRepositoryError(
                .numberOverflow, "The field '\(field)' cannot hold what it would become.",
                table: table.name, field: field)
        }
    }

    private func changed(
        _ value: StoredValue, _ type: StoredType, _ names: ArraySlice<String>
    ) throws -> StoredValue {
        guard let name = names.first else { return try changed(value, type) }
        // Where the embedded value is missing there is nothing to set.
        guard case .object(var fields) = value, case .object(let layout) = type,
            let field = layout.fields.first(where: { $0.name == name })
        else { return value }
        let inner = try changed(fields[name] ?? .null, field.type, names.dropFirst())
        fields[name] = inner == .null ? nil : inner
        return .object(fields)
    }

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
            // Such an update is refused before any record is looked at.
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
