/// The values of one record of an earlier version, by field name. An embedded value in a record is
/// a row, too.
///
/// The types that the generator writes for old versions read it and write it. A program rarely uses
/// it itself.
public struct MigrationRow: Sendable {
    /// The names of the fields.
    package private(set) var names: [String]
    /// The values, by field index.
    package private(set) var values: [StoredValue]

    /// Creates an empty row.
    public init() {
        names = []
        values = []
    }

    /// Creates the row of a record.
    public init<R: FrozenRecord>(_ record: R) {
        self.init()
        record.write(to: &self)
    }

    /// Creates a row of fields with their values.
    package init(names: [String], values: [StoredValue]) {
        self.names = names
        self.values = values
    }

    /// Creates the row of an embedded value.
    package init(_ object: [String: StoredValue]) {
        names = Array(object.keys)
        values = Array(object.values)
    }

    /// The row as an embedded value, which lacks the members that are null.
    package var object: [String: StoredValue] {
        let pairs = zip(names, values).lazy.filter { $1 != .null }.map { ($0, $1) }
        return Dictionary(pairs, uniquingKeysWith: { $1 })
    }

    /// The stored value of a field. A field that the row does not have is null.
    public subscript(name: String) -> StoredValue {
        get { index(of: name).map { values[$0] } ?? .null }
        set {
            if let index = index(of: name) {
                values[index] = newValue
            } else {
                names.append(name)
                values.append(newValue)
            }
        }
    }

    /// Returns the value of a field.
    ///
    /// - Throws: ``RecordDecodingError`` if the stored value is not of the type.
    public func value<V: FrozenValue>(_ name: String, as type: V.Type = V.self) throws -> V {
        do {
            return try V(stored: self[name])
        } catch {
            throw RecordDecodingError.inside(name, error)
        }
    }

    /// Sets the value of a field.
    public mutating func set<V: FrozenValue>(_ value: V, _ name: String) {
        self[name] = value.stored
    }

    private func index(of name: String) -> Int? {
        names.firstIndex { String.isSameIdentifier($0, name) }
    }
}

/// A function of a migration: it reads a record as it was before the version, and changes the
/// record as it is after the other changes of the version.
///
/// It returns whether the record is kept.
public typealias MigrationFunction =
    @Sendable (_ old: MigrationRow, _ new: inout MigrationRow) throws -> Bool

/// The functions of a migration by their names. Generated sets create it from the type that
/// implements their protocol.
public struct MigrationFunctions: Sendable {
    /// The functions by name.
    package let functions: [String: MigrationFunction]
    /// The functions over several tables, by name.
    package let tables: [String: MigrationTablesFunction]

    /// Creates a collection of functions.
    ///
    /// - Parameters:
    ///   - functions: the functions that get one record after another.
    ///   - tables: the functions that get the tables of several entities.
    public init(
        _ functions: [String: MigrationFunction] = [:],
        tables: [String: MigrationTablesFunction] = [:]
    ) {
        self.functions = functions
        self.tables = tables
    }
}

/// Unions as generated types of old versions read and write them: an object with one member, whose
/// key is the case.
extension MigrationRow {
    /// Returns the case of a stored union and its fields.
    ///
    /// - Throws: ``RecordDecodingError`` if the stored value is not an object with one member.
    public static func union(_ stored: StoredValue) throws -> (name: String, fields: MigrationRow) {
        guard case .object(let object) = stored, let (name, value) = object.first,
            object.count == 1, case .object(let fields) = value
        else { throw RecordDecodingError("is not of type union", isMismatch: true) }
        return (name, MigrationRow(fields))
    }

    /// Returns the error for a stored case that a version does not have.
    public static func unknownCase(_ name: String) -> RecordDecodingError {
        RecordDecodingError("has the unknown case '\(name)'", isMismatch: true)
    }

    /// Returns the union with the fields of a case.
    public func union(_ name: String) -> StoredValue { .object([name: .object(object)]) }
}
