internal import StoredSchema

/// A change of one value in a record: of a field, or of parts of an embedded value, list or map in
/// it.
indirect enum ValueChange: Sendable {
    /// Replaces null.
    case fill(StoredValue)
    /// Converts the value. `otherwise` replaces values that do not fit.
    case convert(ValueConversion, otherwise: StoredValue?, DataPath)
    /// Replaces the id of a record by its new id. The id of no record becomes null, if that is
    /// allowed.
    case follow(IDChange, isOptional: Bool, DataPath)
    /// Replaces raw values of an enum, given as texts, also in lists and maps.
    case replaceCases([String: String])
    /// Changes every element of a list.
    case elements(ValueChange)
    /// Changes every value of a map.
    case mapValues(ValueChange)
    /// Changes the members of an embedded value, together.
    case members([MemberChange])

    /// Makes the change of a value.
    ///
    /// - Parameters:
    ///   - change: a change of the value at `path`.
    ///   - path: the place of the value.
    ///   - number: the number of the version.
    ///   - table: the description of the records before the change.
    ///   - functions: the functions that changes call.
    init(
        _ change: DataChange, _ path: DataPath, inVersion number: Int, _ table: StoredTable,
        _ functions: MigrationFunctions
    ) throws {
        let shape = path.field.flatMap { table.field($0)?.type }
        if case .followID(_, _, let isOptional, let target) = change {
            let ids = IDChange(number: number, table: target)
            self = Self.nested(
                .follow(ids, isOptional: isOptional, path), path.steps.dropFirst())
            return
        }
        self = try Self.make(change, path, path.steps.dropFirst(), shape, functions)
    }

    /// Makes the change of a part of a value.
    private static func nested(_ leaf: ValueChange, _ rest: ArraySlice<String>) -> ValueChange {
        guard let step = rest.first else { return leaf }
        let inner = nested(leaf, rest.dropFirst())
        switch step {
        case DataPath.elements: return .elements(inner)
        case DataPath.mapValues: return .mapValues(inner)
        default: return .members([.change(step, inner)])
        }
    }

    private static func make(
        _ change: DataChange, _ path: DataPath, _ rest: ArraySlice<String>, _ shape: StoredShape?,
        _ functions: MigrationFunctions
    ) throws -> ValueChange {
        guard let step = rest.first else { return leaf(change, path, shape) }
        let next = rest.dropFirst()
        switch (step, shape) {
        case (DataPath.elements, .list(let element, _)?):
            return .elements(try make(change, path, next, element, functions))
        case (DataPath.mapValues, .map(let value, _)?):
            return .mapValues(try make(change, path, next, value, functions))
        default:
            var member: StoredMember?
            switch shape {
            case .object(let members)?, .composite(let members)?:
                member = members.first { String.isSameIdentifier($0.name, step) }
            default: break
            }
            guard next.isEmpty else {
                let inner = try make(change, path, next, member?.type, functions)
                return .members([.change(step, inner)])
            }
            return .members(
                try MemberChange.all(change, step, path, table: path.table, functions) {
                    leaf(change, path, member?.type)
                })
        }
    }

    /// Makes the change of the value itself.
    private static func leaf(
        _ change: DataChange, _ path: DataPath, _ shape: StoredShape?
    ) -> ValueChange {
        switch change {
        case .require(_, let value): return .fill(StoredValue(value))
        case .convert(_, let new, let isOptional, let cases, let otherwise):
            let conversion = ValueConversion(
                from: shape ?? new, to: new, isOptional: isOptional, cases: cases)
            return .convert(conversion, otherwise: otherwise.map(StoredValue.init), path)
        case .replaceCases(_, let replacements): return .replaceCases(replacements)
        default: return .members([])
        }
    }

    /// Returns one change for two successive changes of members of the same embedded value; nil for
    /// any others.
    func merged(with next: ValueChange) -> ValueChange? {
        switch (self, next) {
        case (.members(let first), .members(let second)): .members(first + second)
        case (.elements(let first), .elements(let second)):
            first.merged(with: second).map(ValueChange.elements)
        case (.mapValues(let first), .mapValues(let second)):
            first.merged(with: second).map(ValueChange.mapValues)
        default: nil
        }
    }

    /// Returns the changed value.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - ids: the new ids of records; nil if no ids change.
    /// - Throws: ``MigrationFailure`` if a value does not fit.
    func changed(_ value: StoredValue, _ ids: NewIDs?) throws -> StoredValue {
        switch self {
        case .fill(let fill): return value == .null ? fill : value
        case .convert(let conversion, let otherwise, let path):
            if let result = conversion.converted(value) ?? otherwise { return result }
            throw MigrationFailure(path, "does not fit its new type")
        case .follow(let change, let isOptional, let path):
            if value == .null { return .null }
            guard let ids else { throw MigrationFailure(path, "has no new ids to follow") }
            if let id = try ids.newID(of: value, in: change) { return id }
            if isOptional { return .null }
            throw MigrationFailure(
                path, "refers to records of '\(change.table)' that are not there")
        case .replaceCases(let replacements): return Self.replaced(value, replacements)
        case .elements(let change):
            guard case .list(let elements) = value else { return value }
            return .list(try elements.map { try change.changed($0, ids) })
        case .mapValues(let change):
            guard case .object(let values) = value else { return value }
            return .object(try values.mapValues { try change.changed($0, ids) })
        case .members(let changes):
            guard case .object(let old) = value else { return value }
            var new = old
            for change in changes { try change.apply(old, &new, ids) }
            return .object(new)
        }
    }

    private static func replaced(
        _ value: StoredValue, _ replacements: [String: String]
    ) -> StoredValue {
        switch value {
        case .text(let text): return .text(replacements[text] ?? text)
        case .integer(let integer):
            let text = replacements[integer.identifierString]
            return .integer(text.flatMap { Int64($0) } ?? integer)
        case .list(let elements): return .list(elements.map { replaced($0, replacements) })
        case .object(let values):
            return .object(values.mapValues { replaced($0, replacements) })
        default: return value
        }
    }
}

/// A change of one member of an embedded value.
enum MemberChange: Sendable {
    /// Gives the member another name.
    case rename(String, to: String)
    /// Drops the member.
    case remove(String)
    /// Adds the member with a value; null leaves it out.
    case add(String, StoredValue)
    /// Changes the value of the member.
    case change(String, ValueChange)
    /// Calls a function with the embedded value. With `ifNull`, only if that member is null.
    case call(MigrationFunction, name: String, ifNull: String?)

    /// Makes the changes of a member.
    static func all(
        _ change: DataChange, _ member: String, _ path: DataPath, table: String,
        _ functions: MigrationFunctions, leaf: () -> ValueChange
    ) throws -> [MemberChange] {
        func call(_ name: String, ifNull: String? = nil) throws -> MemberChange {
            .call(try functions.function(name, table), name: name, ifNull: ifNull)
        }
        switch change {
        case .rename(_, let name): return [.rename(member, to: name)]
        case .remove: return [.remove(member)]
        case .add(_, _, _, let value): return [.add(member, StoredValue(value))]
        case .addByCode(_, _, _, let name): return [.remove(member), try call(name)]
        case .requireByCode(_, let name): return [try call(name, ifNull: member)]
        case .convertByCode(_, _, _, let name): return [try call(name)]
        case .require, .convert, .replaceCases: return [.change(member, leaf())]
        case .renameTable, .removeTable, .followID, .changeKey, .records, .tables: return []
        }
    }

    /// Changes an embedded value.
    ///
    /// - Parameters:
    ///   - old: the value before all changes of the version.
    ///   - new: the value after the changes so far.
    ///   - ids: the new ids of records; nil if no ids change.
    func apply(
        _ old: [String: StoredValue], _ new: inout [String: StoredValue], _ ids: NewIDs?
    ) throws {
        switch self {
        case .rename(let name, let other):
            if let value = new.removeValue(forKey: name) { new[other] = value }
        case .remove(let name): new[name] = nil
        case .add(let name, let value): new[name] = value == .null ? nil : value
        case .change(let name, let change):
            let value = try change.changed(new[name] ?? .null, ids)
            new[name] = value == .null ? nil : value
        case .call(let function, let name, let ifNull):
            if let ifNull, new[ifNull] != nil { return }
            var row = MigrationRow(new)
            // An embedded value cannot be dropped alone.
            _ = try MigrationFunctions.call(function, name, MigrationRow(old), &row)
            new = row.object
        }
    }
}
