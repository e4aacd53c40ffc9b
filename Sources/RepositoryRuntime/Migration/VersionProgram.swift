internal import StoredSchema

/// The changes of one version to the records of a table.
struct VersionProgram: Sendable {
    /// The names of the fields before the version.
    private let oldNames: [String]
    /// The names of the fields after the changes so far.
    var names: [String]
    private var steps: [Step] = []
    /// Whether a step calls a function, which gets the record as it was.
    private var hasCalls = false

    /// A step on the values of a record.
    private enum Step: Sendable {
        /// Removes a field.
        case remove(Int)
        /// Appends a field.
        case append(StoredValue)
        /// Changes the value of a field.
        case change(Int, ValueChange)
        /// Calls a function with the names of the fields at this point. With `ifNull`, only if that
        /// field is null.
        case call(MigrationFunction, names: [String], ifNull: Int?, name: String)
    }

    /// Starts a program for records with these fields.
    init(names: [String]) {
        oldNames = names
        self.names = names
    }

    /// Whether there is nothing to do.
    var isEmpty: Bool { steps.isEmpty }

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
            steps.append(
                .call(function, names: fields.map(\.name), ifNull: nil, name: name))
            return
        }
        guard let path = change.path else { return }
        guard path.steps.count > 1 else {
            try append(change, field: path.name ?? "", path, table, functions)
            return
        }
        guard let index = index(of: path.steps[0]) else { return }
        let nested = try ValueChange(change, path, in: table, functions)
        // The members of one embedded value change together, so that functions see it as it was.
        if case .change(index, let last)? = steps.last, let both = last.merged(with: nested) {
            steps[steps.count - 1] = .change(index, both)
        } else {
            steps.append(.change(index, nested))
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
            try call(name, table.name, functions, names: after + [field])
        case .requireByCode(_, let name):
            try call(name, table.name, functions, names: names, ifNull: index)
        case .convertByCode(_, _, _, let name):
            try call(name, table.name, functions, names: names)
        case .require, .convert, .replaceCases:
            guard let index else { return }
            steps.append(.change(index, try ValueChange(change, path, in: table, functions)))
        // A new name changes no value.
        case .rename, .renameTable, .removeTable, .records, .tables: break
        }
    }

    private mutating func call(
        _ name: String, _ table: String, _ functions: MigrationFunctions, names: [String],
        ifNull: Int? = nil
    ) throws {
        let function = try functions.function(name, table)
        hasCalls = true
        steps.append(.call(function, names: names, ifNull: ifNull, name: name))
    }

    private func index(of name: String) -> Int? {
        names.firstIndex { String.isSameIdentifier($0, name) }
    }

    /// Converts the values of a record; nil if a function drops it.
    func run(_ values: [StoredValue]) throws -> [StoredValue]? {
        let old = hasCalls ? MigrationRow(names: oldNames, values: values) : MigrationRow()
        var values = values
        for step in steps {
            switch step {
            case .remove(let index): values.remove(at: index)
            case .append(let value): values.append(value)
            case .change(let index, let change):
                values[index] = try change.changed(values[index])
            case .call(let function, let names, let ifNull, let name):
                if let ifNull, values[ifNull] != .null { continue }
                var row = MigrationRow(names: names, values: values)
                guard try MigrationFunctions.call(function, name, old, &row) else { return nil }
                values = row.values(of: names)
            }
        }
        return values
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
