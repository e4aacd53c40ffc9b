/// A new entity without what the repository and the store set: an id with `default: generated`,
/// timestamps and the version.
///
/// ```swift
/// let draft = try JSONDecoder().decode(RecordDraft<Author>.self, from: body)
/// let author = try await library.authors.create(draft)
/// ```
/// The names are those of the entity's JSON encoding. An id that the schema does not generate is a
/// field like others, and required. Fields with a default and optional fields can be left out. What
/// the repository or the store sets must not be named.
///
/// Decoding throws `invalidItem` with all names and values that are wrong. In Swift, a draft is set
/// through the properties of the entity:
///
/// ```swift
/// var draft = RecordDraft<Author>()
/// draft.name = "Jane Austen"
/// ```
@dynamicMemberLookup
public struct RecordDraft<Record: Entity>: Sendable, Hashable {
    /// The named fields.
    private(set) var fields: NamedFields<Record>

    /// Creates a draft without fields.
    public init() { fields = NamedFields() }

    /// A field, which can be set. To read a draft, use ``value(of:)``.
    public subscript<Value: FieldValue>(
        dynamicMember field: KeyPath<Record.Fields, QueryField<Record, Value>>
    ) -> Value {
        @available(*, unavailable, message: "a draft need not have a value: use value(of:)")
        get {
            // A subscript needs a getter. The compiler rejects every use of this one, key paths
            // included, so that no program can reach the trap.
            fatalError("A field of a RecordDraft was read.")
        }
        set { fields.set(field, to: newValue) }
    }

    /// Sets a field. The member of the draft is shorter, unless the field has the name of another
    /// member of this type.
    public mutating func set<Value: FieldValue>(
        _ field: KeyPath<Record.Fields, QueryField<Record, Value>>, to value: Value
    ) {
        fields.set(field, to: value)
    }

    /// The value that the draft has for a field; nil if it leaves the field out.
    ///
    /// - Throws: `RecordDecodingError` if a decoded value is not one of the field's type, such as
    ///   an unknown case of an enum.
    public func value<Value: FieldValue>(
        of field: KeyPath<Record.Fields, QueryField<Record, Value>>
    ) throws -> Value? {
        try fields.value(of: field)
    }

    /// The names of the fields that the draft has, in the order of the entity.
    public var fieldNames: [String] { fields.names }

    /// The reason why a draft must not have a field; nil if it may.
    fileprivate static func refusal(_ index: Int) -> String? {
        let table = Record.Mapper.table
        if table.versionField == index { return "cannot be set: the store counts the versions" }
        if table.onlyReadFields.contains(index) {
            return "cannot be set: it is only read from the database"
        }
        if table.fields[index].isCreated {
            return "cannot be set: it is the time of the creation"
        }
        if table.fields[index].isStamped {
            return "cannot be set: it is the time of the last write"
        }
        if table.deletionField == index { return "cannot be set: deleting the record sets it" }
        guard table.key.contains(index) else { return nil }
        switch table.fields[index].supply {
        case .generated: return "cannot be set: a new record gets a generated id"
        case .assigned: return "cannot be set: the store gives a new record its id"
        case .now, nil: return nil
        }
    }
}

extension RecordDraft: Codable {
    /// Decodes the fields that a body names.
    ///
    /// - Throws: `invalidItem` with all names and values that are wrong.
    public init(from decoder: any Decoder) throws {
        fields = try NamedFields(from: decoder, refusing: Self.refusal)
    }

    /// Encodes the fields that the draft has.
    public func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder) }
}

extension RecordDraft: CustomStringConvertible {
    /// The names of the fields, without their values.
    public var description: String { "RecordDraft<\(Record.Mapper.layout.name)>\(fields)" }
}

extension RecordDraft {
    /// Returns the entity, with the values that the draft leaves out.
    ///
    /// - Parameters:
    ///   - position: the position of the draft in the call.
    ///   - defaults: the clock and the source of ids.
    ///   - id: the id that the store gives, if it gives ids to the records.
    /// - Throws: `invalidItem` with all fields that are missing or have wrong values.
    func entity(
        at position: Int, _ defaults: EntityDefaults.Source, assigned id: Int64 = 1
    ) throws -> Record {
        let table = Record.Mapper.table
        var row = [StoredValue](repeating: .null, count: table.fields.count)
        var violations = fields.violations(refusing: Self.refusal)
        // All timestamps of a draft are the same.
        var now: StoredValue?
        for (index, field) in table.layout.fields.enumerated() where fields.values[index] == nil {
            switch table.fields[index].supply {
            case .generated: row[index] = .uuid(defaults.uuid())
            case .now:
                let time = now ?? .date(StoredDate.rounded(defaults.now()))
                (now, row[index]) = (time, time)
            case .assigned: row[index] = .integer(id)
            case nil where index == table.versionField: row[index] = .integer(1)
            case nil
            where table.fields[index].isStamped && !field.isOptional && field.defaultValue == nil:
                let time = now ?? .date(StoredDate.rounded(defaults.now()))
                (now, row[index]) = (time, time)
            case nil:
                if let value = field.defaultValue {
                    row[index] = value
                } else if !field.isOptional, !violations.contains(where: { $0.field == field.name })
                {
                    violations.append(.field(field.name, .required, "is required"))
                }
            }
        }
        do {
            guard violations.isEmpty else {
                throw CRUDRepositoryError.invalidItem(violations, table: table.name)
            }
            return try fields.record(over: row)
        } catch let error as CRUDRepositoryError where error.code == .invalidItem {
            throw error.locating(id: nil, at: position)
        }
    }
}
