internal import RepositoryRuntime
internal import StoredSchema

/// A function that a migration called, with the record or embedded value as it was.
struct FunctionCall: Hashable, Sendable {
    /// The name of the function.
    let name: String
    /// The values that are not null.
    let old: [String: StoredValue]

    /// Describes a call.
    init(_ name: String, _ row: MigrationRow) {
        self.name = name
        old = row.object
    }
}

/// Why a record has no migrated form.
enum ModelProblem: Error {
    /// A value does not fit its new type, and nothing replaces it. The migration of such data
    /// fails.
    case doesNotFit(DataPath)
    /// A reference is to no record, and cannot become null.
    case refersToNothing(DataPath)
    /// Two records get the same id.
    case sameID(String)
    /// A function returned two results for the same record.
    case impure(function: String, row: [String: StoredValue], first: String, second: String)
    /// A function threw.
    case threw(function: String, row: [String: StoredValue], any Error)
    /// A function over several tables writes other records if it is called again and reads the old
    /// ones in another order.
    case dependsOnOrder(function: String, table: String, first: String, second: String)
    /// A function over several tables threw.
    case tablesThrew(function: String, any Error)
    /// The program has no function of the name.
    case noFunction(String)
}

/// A record of an old version, to which the declared changes are applied one after another, on
/// dictionaries.
///
/// It is the plain meaning of the changes, without the programs of rows that stores run.
struct ModelRecord {
    /// The name of the table.
    var table: String
    /// The values.
    private var record: ModelObject
    /// The functions that were called.
    private(set) var calls: [FunctionCall] = []
    private let functions: MigrationFunctions
    /// The new ids of the other records.
    private let ids: ModelIDs
    /// The description of the record before the version.
    private var description: StoredTable
    /// The new ids of the record itself.
    private(set) var ownIDs: [ModelID: StoredValue] = [:]
    /// The ids that references followed.
    private(set) var followed: Set<ModelID> = []
    /// The index of the version.
    private var version = 0
    /// The id in the version, while it is computed; the other values have no meaning then.
    private var computedKey: [String]?

    /// Takes a stored record.
    init(
        _ description: StoredTable, _ values: [String: StoredValue],
        _ functions: MigrationFunctions, _ ids: ModelIDs
    ) {
        table = description.name
        self.description = description
        record = ModelObject(values)
        self.functions = functions
        self.ids = ids
    }

    /// The values after the changes so far.
    var values: [String: StoredValue] { record.stored }

    /// Returns the functions that were called since the last time.
    mutating func takeCalls() -> [FunctionCall] {
        defer { calls = [] }
        return calls
    }

    /// Applies the changes of one version.
    ///
    /// - Returns: Whether the record is kept.
    /// - Throws: ``ModelProblem``.
    mutating func apply(_ changes: [DataChange]) throws -> Bool {
        defer { version += 1 }
        record = ModelObject(record.stored)
        if let key = changes.keyChange(of: description) {
            // References of the record to itself follow its own new id.
            var copy = self
            copy.record = ModelObject(record.stored)
            copy.computedKey = key.new
            guard try copy.applyAll(changes) else {
                calls = copy.calls
                return false
            }
            let old = ModelID(version: version, table: key.name, id: record.stored.id(key.old))
            let new = copy.values.id(key.new)
            if ids[old] != nil || ids.isTaken(new, by: old) { throw ModelProblem.sameID(key.name) }
            ownIDs[old] = new
        }
        let isKept = try applyAll(changes)
        var tables = [description]
        for change in changes { change.apply(to: &tables) }
        if let after = tables.first { description = after }
        return isKept
    }

    private mutating func applyAll(_ changes: [DataChange]) throws -> Bool {
        for change in changes {
            switch change {
            case .renameTable(let old, let new):
                if table == old { table = new }
            case .removeTable(let name):
                if table == name { return false }
            case .records(let name, _, let function):
                guard table == name else { continue }
                guard try call(function, on: record) else { return false }
            // The model calls it with all records.
            case .tables: break
            case .changeKey: break
            default:
                guard let path = change.path, path.table == table else { continue }
                if let computedKey, let field = path.field, !computedKey.contains(field) {
                    switch change {
                    case .rename, .remove, .add: break
                    default: continue
                    }
                }
                guard try apply(change, path.steps[...], to: record, isRecord: true) else {
                    return false
                }
            }
        }
        return true
    }

    /// Applies a change at a path inside an object.
    ///
    /// - Returns: Whether the record is kept.
    private mutating func apply(
        _ change: DataChange, _ steps: ArraySlice<String>, to object: ModelObject, isRecord: Bool
    ) throws -> Bool {
        guard let name = steps.first else { return true }
        guard steps.count == 1 else {
            guard var value = object.members[name] else { return true }
            try apply(change, steps.dropFirst(), inside: &value)
            object.members[name] = value
            return true
        }
        switch change {
        case .rename(_, let new):
            if let value = object.members.removeValue(forKey: name) { object.members[new] = value }
        case .remove: object.members[name] = nil
        case .add(_, _, _, let value): object.set(name, StoredValue(value))
        case .addByCode(_, _, _, let function):
            object.members[name] = nil
            return try call(function, on: object) || !isRecord
        case .requireByCode(_, let function):
            guard object.members[name] == nil else { return true }
            return try call(function, on: object) || !isRecord
        case .convertByCode(_, _, _, let function):
            return try call(function, on: object) || !isRecord
        case .followID:
            object.set(name, try following(object.members[name]?.stored ?? .null, change))
        default:
            object.set(name, try changed(object.members[name]?.stored ?? .null, by: change))
        }
        return true
    }

    /// Applies a change at a path inside a value: in an embedded value, or in the elements of a
    /// list or the values of a map.
    private mutating func apply(
        _ change: DataChange, _ steps: ArraySlice<String>, inside value: inout ModelValue
    ) throws {
        guard let step = steps.first else { return }
        let rest = steps.dropFirst()
        switch (step, value) {
        case (DataPath.elements, .list(var elements)):
            for index in elements.indices { try apply(change, rest, toPart: &elements[index]) }
            value = .list(elements)
        case (DataPath.mapValues, .object(let map)):
            for key in map.members.keys.sorted() {
                guard var part = map.members[key] else { continue }
                try apply(change, rest, toPart: &part)
                map.members[key] = part
            }
        case (_, .object(let object)):
            _ = try apply(change, steps, to: object, isRecord: false)
        default: break
        }
    }

    /// Applies a change to an element of a list or a value of a map, or inside it.
    private mutating func apply(
        _ change: DataChange, _ steps: ArraySlice<String>, toPart part: inout ModelValue
    ) throws {
        if steps.isEmpty {
            if case .followID = change {
                part = ModelValue(try following(part.stored, change))
            } else {
                part = ModelValue(try changed(part.stored, by: change))
            }
        } else {
            try apply(change, steps, inside: &part)
        }
    }

    /// Returns the new id of the record with an id.
    private mutating func following(
        _ value: StoredValue, _ change: DataChange
    ) throws -> StoredValue {
        guard case .followID(let path, _, let isOptional, let target) = change, value != .null
        else { return value }
        let old = ModelID(version: version, table: target, id: value)
        if let id = ownIDs[old] ?? ids[old] {
            followed.insert(old)
            return id
        }
        if isOptional { return .null }
        throw ModelProblem.refersToNothing(path)
    }

    /// Returns a changed value.
    private func changed(_ value: StoredValue, by change: DataChange) throws -> StoredValue {
        switch change {
        case .require(_, let fill): return value == .null ? StoredValue(fill) : value
        case .replaceCases(_, let replacements): return Self.replaced(value, replacements)
        case .convert(let path, let shape, let isOptional, let cases, let otherwise):
            let result = ModelConversion.converted(
                value, to: shape, isOptional: isOptional, cases: cases)
            if let result { return result }
            guard let otherwise else { throw ModelProblem.doesNotFit(path) }
            return StoredValue(otherwise)
        default: return value
        }
    }

    private static func replaced(
        _ value: StoredValue, _ replacements: [String: String]
    ) -> StoredValue {
        switch value {
        case .text(let text): return .text(replacements[text] ?? text)
        case .integer(let number):
            return .integer(replacements["\(number)"].flatMap { Int64($0) } ?? number)
        case .list(let elements): return .list(elements.map { replaced($0, replacements) })
        case .object(let members): return .object(members.mapValues { replaced($0, replacements) })
        default: return value
        }
    }

    /// Calls a function twice, and compares the results.
    ///
    /// - Returns: What the function returned: whether the record is kept.
    private mutating func call(_ name: String, on object: ModelObject) throws -> Bool {
        guard let function = functions.functions[name] else { throw ModelProblem.noFunction(name) }
        let old = MigrationRow(object.before)
        var (first, second) = (MigrationRow(object.stored), MigrationRow(object.stored))
        let isKept: Bool
        do {
            isKept = try function(old, &first)
            let isKeptAgain = try function(old, &second)
            guard isKept == isKeptAgain, first.object == second.object else {
                throw ModelProblem.impure(
                    function: name, row: object.before,
                    first: isKept ? "\(first.object.ordered)" : "nil",
                    second: isKeptAgain ? "\(second.object.ordered)" : "nil")
            }
        } catch let problem as ModelProblem {
            throw problem
        } catch {
            throw ModelProblem.threw(function: name, row: object.before, error)
        }
        calls.append(FunctionCall(name, old))
        object.replace(with: first.object)
        return isKept
    }
}

extension [String: StoredValue] {
    /// The members as text, sorted by name.
    var ordered: String {
        let members = sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "[\(members.joined(separator: ", "))]"
    }
}
