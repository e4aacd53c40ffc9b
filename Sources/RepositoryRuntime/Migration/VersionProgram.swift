internal import StoredSchema

/// The changes of one version to the records of a table.
struct VersionProgram: Sendable {
    /// What a run does.
    enum Part {
        /// Everything.
        case all
        /// Only what the new id depends on. All other fields have no meaning afterwards.
        case id
        /// Everything but the id, which is already known.
        case rest(StoredValue)
    }

    /// The version and the table.
    let change: IDChange
    /// The names of the fields before the version.
    private let oldNames: [String]
    /// The components of the id before the version.
    private let oldKey: [String]
    /// The components of the id after the version.
    private let newKey: [String]
    /// The names of the fields after the changes so far.
    var names: [String]
    private var steps: [Step] = []
    /// Whether a step calls a function, which gets the record as it was.
    private var hasCalls = false
    /// Whether a function converts whole records.
    private(set) var convertsRecords = false
    /// Whether a step that the id does not depend on calls a function.
    private(set) var hasOtherCalls = false
    /// Whether the ids of the records change in another way than by value.
    var changesIDs = false
    /// The tables whose new ids the new id depends on.
    private(set) var idTargets: [String] = []

    /// A step on the values of a record.
    private enum Step: Sendable {
        /// Removes a field.
        case remove(Int)
        /// Appends a field.
        case append(StoredValue)
        /// Changes the value of a field, which can be part of the id.
        case change(Int, ValueChange, isID: Bool)
        /// Calls a function with the names of the fields at this point. With `ifNull`, only if that
        /// field is null.
        case call(MigrationFunction, names: [String], ifNull: Int?, name: String, isID: Bool)
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - change: the version and the name of the table in it.
    ///   - old: the table before the version.
    ///   - newKey: the components of the id after the version.
    init(_ change: IDChange, _ old: StoredTable, newKey: [String]) {
        self.change = change
        oldNames = old.fields.map(\.name)
        names = oldNames
        oldKey = old.key
        self.newKey = newKey
    }

    /// Whether there is nothing to do.
    var isEmpty: Bool { steps.isEmpty && !changesIDs }
    /// Whether a run calls a function.
    var callsFunctions: Bool { hasCalls || hasOtherCalls }

    /// Adds a change.
    ///
    /// - Parameters:
    ///   - change: a change of the table.
    ///   - table: the description of the records before the change.
    ///   - functions: the functions that changes call.
    mutating func append(
        _ change: DataChange, _ table: StoredTable, _ functions: MigrationFunctions
    ) throws {
        if case .records(_, let fields, let name) = change {
            let function = try functions.function(name, table.name)
            hasCalls = true
            convertsRecords = true
            steps.append(
                .call(function, names: fields.map(\.name), ifNull: nil, name: name, isID: true))
            return
        }
        guard let path = change.path else { return }
        guard path.steps.count > 1 else {
            try append(change, field: path.name ?? "", path, table, functions)
            return
        }
        guard let index = index(of: path.steps[0]) else { return }
        let nested = try ValueChange(
            change, path, inVersion: self.change.number, table, functions)
        if change.function != nil { hasOtherCalls = true }
        // The members of one embedded value change together, so that functions see it as it was.
        if case .change(index, let last, _)? = steps.last, let both = last.merged(with: nested) {
            steps[steps.count - 1] = .change(index, both, isID: false)
        } else {
            steps.append(.change(index, nested, isID: false))
        }
    }

    /// Adds a change of a whole field.
    private mutating func append(
        _ change: DataChange, field: String, _ path: DataPath, _ table: StoredTable,
        _ functions: MigrationFunctions
    ) throws {
        let index = index(of: field)
        switch change {
        case .remove:
            if let index { steps.append(.remove(index)) }
        case .add(_, _, _, let value):
            if let index { steps.append(.remove(index)) }
            steps.append(.append(StoredValue(value)))
        case .addByCode(_, _, _, let name):
            if let index { steps.append(.remove(index)) }
            steps.append(.append(.null))
            var after = names
            if let index { after.remove(at: index) }
            try call(name, field, table.name, functions, names: after + [field])
        case .requireByCode(_, let name):
            try call(name, field, table.name, functions, names: names, ifNull: index)
        case .convertByCode(_, _, _, let name):
            try call(name, field, table.name, functions, names: names)
        case .require, .convert, .replaceCases, .followID:
            guard let index else { return }
            let isID = isID(field)
            if isID, case .followID(_, _, _, let target) = change { idTargets.append(target) }
            steps.append(
                .change(
                    index,
                    try ValueChange(
                        change, path, inVersion: self.change.number, table, functions),
                    isID: isID))
        // A new name changes no value.
        case .rename, .renameTable, .removeTable, .changeKey, .records, .tables: break
        }
    }

    private mutating func call(
        _ name: String, _ field: String, _ table: String, _ functions: MigrationFunctions,
        names: [String], ifNull: Int? = nil
    ) throws {
        let function = try functions.function(name, table)
        let isID = isID(field)
        hasCalls = true
        if isID { changesIDs = true } else { hasOtherCalls = true }
        steps.append(
            .call(function, names: names, ifNull: ifNull, name: name, isID: isID))
    }

    /// Whether a field is part of the id after the version.
    private func isID(_ field: String) -> Bool {
        newKey.contains { String.isSameIdentifier($0, field) }
    }

    private func index(of name: String) -> Int? {
        names.firstIndex { String.isSameIdentifier($0, name) }
    }

    /// Returns the id of a record before the version.
    func oldID(of values: [StoredValue]) -> StoredValue {
        Self.id(oldKey, of: values, oldNames)
    }

    /// Returns the id of a record after the version.
    func newID(of values: [StoredValue]) -> StoredValue { Self.id(newKey, of: values, names) }

    /// Returns an id as a reference stores it: the value, or the components by name.
    private static func id(
        _ key: [String], of values: [StoredValue], _ names: [String]
    ) -> StoredValue {
        func value(_ name: String) -> StoredValue {
            names.firstIndex { String.isSameIdentifier($0, name) }.map { values[$0] } ?? .null
        }
        guard key.count > 1 else { return value(key.first ?? "") }
        return .object(Dictionary(key.map { ($0, value($0)) }, uniquingKeysWith: { $1 }))
    }

    /// Sets the id of a record after the version.
    private func setID(_ id: StoredValue, in values: inout [StoredValue]) {
        for name in newKey {
            guard let index = index(of: name) else { continue }
            if case .object(let components) = id {
                values[index] = components[name] ?? .null
            } else {
                values[index] = id
            }
        }
    }

    /// Converts the values of a record; nil if a function drops it.
    ///
    /// - Parameters:
    ///   - values: the values before the version.
    ///   - part: what to do.
    ///   - ids: the new ids of records; nil if no ids change.
    func run(
        _ values: [StoredValue], _ part: Part = .all, _ ids: NewIDs?
    ) throws -> [StoredValue]? {
        let old = hasCalls ? MigrationRow(names: oldNames, values: values) : MigrationRow()
        var values = values
        for step in steps {
            switch step {
            case .remove(let index): values.remove(at: index)
            case .append(let value): values.append(value)
            case .change(let index, let change, let isID):
                if !part.includes(isID: isID) { continue }
                values[index] = try change.changed(values[index], ids)
            case .call(let function, let names, let ifNull, let name, let isID):
                if !part.includes(isID: isID) { continue }
                if let ifNull, values[ifNull] != .null { continue }
                // Whole records begin with the fields before the version.
                var row = MigrationRow(
                    names: convertsRecords ? oldNames : names, values: values)
                guard try MigrationFunctions.call(function, name, old, &row) else { return nil }
                values = row.values(of: names)
            }
        }
        if case .rest(let id) = part { setID(id, in: &values) }
        return values
    }
}

extension VersionProgram.Part {
    /// Whether a step is run.
    fileprivate func includes(isID: Bool) -> Bool {
        switch self {
        case .all: true
        case .id: isID
        case .rest: !isID
        }
    }
}

extension MigrationRow {
    /// The values of fields, in their order.
    fileprivate func values(of names: [String]) -> [StoredValue] {
        let isInOrder =
            self.names.count == names.count
            && zip(self.names, names).allSatisfy { String.isSameIdentifier($0, $1) }
        return isInOrder ? values : names.map { self[$0] }
    }
}

extension MigrationFunctions {
    /// Returns the function with a name.
    ///
    /// - Throws: ``MigrationFailure`` if there is none.
    func function(_ name: String, _ table: String) throws -> MigrationFunction {
        guard let function = functions[name] else {
            throw MigrationFailure(
                table: table,
                "needs the function '\(name)': pass 'migrations:' to the initializer of the set")
        }
        return function
    }

    /// Calls a function. An error of the program is replaced by one without its text, which may
    /// contain values of the record.
    static func call(
        _ function: MigrationFunction, _ name: String, _ old: MigrationRow,
        _ new: inout MigrationRow
    ) throws -> Bool {
        do {
            return try function(old, &new)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw MigrationFunctionFailure(function: name, underlyingError: error)
        }
    }
}

/// An error that a migration function of the program threw.
package struct MigrationFunctionFailure: Error, Sendable {
    /// The name of the function.
    package var function: String
    /// The error. Its text may contain values of the record.
    package var underlyingError: any Error
}
