/// Changes to some fields of one entity: those that the body of a request names.
///
/// ```swift
/// let patch = try JSONDecoder().decode(RecordPatch<Book>.self, from: body)
/// let book = try await library.books.update(id, patch)
/// ```
/// The names are those of the entity's JSON encoding, such as `authorID`. A name that is absent
/// leaves its field unchanged; null sets an optional field to nil, and is an error for a required
/// one. Lists, maps, embedded values and unions are replaced as a whole (this is not a JSON Merge
/// Patch as in RFC 7396). The id and the timestamps of the repository (`onCreate`, `onUpdate`) must
/// not be named. The version, if it is named, is the expected version: the update throws
/// `versionConflict` if another one is stored.
///
/// Decoding throws `invalidItem` with all names and values that are wrong. In Swift, a patch is set
/// through the properties of the entity:
///
/// ```swift
/// var patch = RecordPatch<Book>()
/// patch.title = "Persuasion"
/// patch.subtitle = nil
/// ```
@dynamicMemberLookup
public struct RecordPatch<Record: Entity>: Sendable, Hashable {
    /// The named fields.
    private(set) var fields: NamedFields<Record>

    /// Creates a patch that changes nothing.
    public init() { fields = NamedFields() }

    /// A field, which can be set. To read a patch, use ``value(of:)``.
    public subscript<Value: FieldValue>(
        dynamicMember field: KeyPath<Record.Fields, QueryField<Record, Value>>
    ) -> Value {
        @available(*, unavailable, message: "a patch need not have a value: use value(of:)")
        get {
            // A subscript needs a getter. The compiler rejects every use of this one, key paths
            // included, so that no program can reach the trap.
            fatalError("A field of a RecordPatch was read.")
        }
        set { fields.set(field, to: newValue) }
    }

    /// Sets a field. The member of the patch is shorter, unless the field has the name of another
    /// member of this type.
    public mutating func set<Value: FieldValue>(
        _ field: KeyPath<Record.Fields, QueryField<Record, Value>>, to value: Value
    ) {
        fields.set(field, to: value)
    }

    /// The value that the patch has for a field; nil if it leaves the field unchanged.
    ///
    /// - Throws: `RecordDecodingError` if a decoded value is not one of the field's type, such as
    ///   an unknown case of an enum.
    public func value<Value: FieldValue>(
        of field: KeyPath<Record.Fields, QueryField<Record, Value>>
    ) throws -> Value? {
        try fields.value(of: field)
    }

    /// Removes a field from the patch, which then leaves it unchanged.
    public mutating func remove<Value: FieldValue>(
        _ field: KeyPath<Record.Fields, QueryField<Record, Value>>
    ) {
        fields.remove(field)
    }

    /// The names of the fields that the patch has, in the order of the entity.
    public var fieldNames: [String] { fields.names }

    /// Whether the patch has no fields.
    public var isEmpty: Bool { fieldNames.isEmpty }

    /// The version that the stored record must have; nil if any will do.
    ///
    /// Setting it has no effect on an entity without a version field.
    public var expectedVersion: Int? {
        get {
            guard let field = Record.Mapper.table.versionField,
                case .integer(let version) = fields.values[field]
            else { return nil }
            return Int(version)
        }
        set {
            guard let field = Record.Mapper.table.versionField else { return }
            fields.set(newValue.map { .integer(Int64($0)) }, at: field)
        }
    }

    /// The reason why a patch must not have a field; nil if it may.
    fileprivate static func refusal(_ index: Int) -> String? {
        let table = Record.Mapper.table
        if table.key.contains(index) { return "cannot be changed: it is the id" }
        if table.onlyReadFields.contains(index) {
            return "cannot be set: it is only read from the database"
        }
        if table.fields[index].isCreated {
            return "cannot be changed: it is the time of the creation"
        }
        if table.fields[index].isStamped {
            return "cannot be set: it is the time of the last write"
        }
        if table.externalFields.contains(index) {
            return "cannot be set: its data is stored apart from the record"
        }
        if table.deletionField == index { return "cannot be set: deleting the record sets it" }
        return nil
    }
}

extension RecordPatch: Codable {
    /// Decodes the fields that a body names.
    ///
    /// - Throws: `invalidItem` with all names and values that are wrong.
    public init(from decoder: any Decoder) throws {
        fields = try NamedFields(from: decoder, refusing: Self.refusal)
    }

    /// Encodes the fields that the patch has.
    public func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder) }
}

extension RecordPatch: CustomStringConvertible {
    /// The names of the fields, without their values.
    public var description: String { "RecordPatch<\(Record.Mapper.layout.name)>\(fields)" }
}

extension RecordPatch {
    /// Checks the values that were set in Swift.
    ///
    /// - Throws: `invalidItem` with all violations.
    func check(for id: Record.ID) throws {
        var violations = fields.violations(refusing: Self.refusal)
        guard !violations.isEmpty else { return }
        for place in violations.indices {
            violations[place].index = 0
            violations[place].id = id.description
        }
        throw CRUDRepositoryError.invalidItem(violations, table: Record.Mapper.table.name)
    }

    /// Returns a stored record with the changes. Its version is the stored one.
    ///
    /// - Throws: `versionConflict` if the patch expects another version, or `invalidItem`.
    func applied(to stored: Record) throws -> Record {
        let table = Record.Mapper.table
        if let expected = expectedVersion, let version = Record.Mapper.version(of: stored),
            expected != version
        {
            throw CRUDRepositoryError.versionConflict(
                id: stored.id.description, table: table.name, expected: expected, stored: version)
        }
        do {
            return try fields.record(
                over: StoredValueEncoder.values(of: stored, Record.Mapper.self))
        } catch let error as CRUDRepositoryError where error.code == .invalidItem {
            throw error.locating(id: stored.id.description, at: 0)
        }
    }
}
