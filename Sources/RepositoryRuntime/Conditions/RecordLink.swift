/// A record to which others can be linked: an ``Entity``.
///
/// For implementers of stores. ``Entity`` implements the requirements.
public protocol LinkedRecord: MappedRecord {
    /// The name of the table.
    static var linkedTable: String { get }
    /// Returns a condition in the form in which it is evaluated on the records of the table:
    /// strings of fields that ignore case are folded.
    static func comparable(_ condition: ConditionTree) -> ConditionTree
    /// Returns a path in the form in which records of the table are sorted by it: it folds strings
    /// of fields that ignore case.
    static func comparable(_ path: FieldPath) -> FieldPath
    /// The field that is null unless the record is deleted; nil if deleted records are removed.
    static var deletionPath: FieldPath? { get }
}

/// How a record finds the records of another entity: by a field of its own that holds their ids, or
/// by a field of theirs that holds its id.
public struct RecordLink: Sendable, Hashable {
    /// The name of the reference or of the relation in the schema.
    public let name: String
    /// The entity of the records that are found.
    public let target: any LinkedRecord.Type
    /// The property of the record that holds the id of the target; nil if the target holds the id
    /// of the record.
    public let reference: FieldPath?
    /// The property of the target that holds the id of the record; nil if the record holds the id
    /// of the target.
    public let backReference: String?
    /// Whether the link does not find deleted records.
    ///
    /// Stores have to leave them out only where they sort by what a link finds. A
    /// ``RelatedCondition`` has the condition that its records are not deleted.
    public internal(set) var hidesDeleted = false

    /// Creates the link of a reference.
    ///
    /// - Parameters:
    ///   - name: the name of the reference in the schema.
    ///   - reference: the field of the record that holds the id of the target.
    ///   - target: the entity to which the record refers.
    public init(_ name: String, _ reference: FieldPath, to target: any LinkedRecord.Type) {
        self.name = name
        self.target = target
        self.reference = reference
        backReference = nil
    }

    /// Creates the link of a relation.
    ///
    /// - Parameters:
    ///   - name: the name of the relation in the schema.
    ///   - target: the entity that refers to the record.
    ///   - backReference: the property of the target that holds the id of the record.
    public init(_ name: String, from target: any LinkedRecord.Type, by backReference: String) {
        self.name = name
        self.target = target
        reference = nil
        self.backReference = backReference
    }

    /// Whether both links lead from the same field to the same records.
    public static func == (left: Self, right: Self) -> Bool {
        ObjectIdentifier(left.target) == ObjectIdentifier(right.target)
            && left.reference == right.reference && left.backReference == right.backReference
            && left.name == right.name && left.hidesDeleted == right.hidesDeleted
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(target))
        hasher.combine(reference)
        hasher.combine(backReference)
        hasher.combine(name)
        hasher.combine(hidesDeleted)
    }
}

/// A condition on the records that a link finds: at least a number of them satisfy a condition.
public struct RelatedCondition: Sendable, Hashable {
    /// How the records are found.
    public let link: RecordLink
    /// The condition on each of them, which refers to the fields of their entity.
    public let condition: ConditionTree
    /// How many of them must satisfy the condition; at least 1.
    public let minimum: Int
    /// The field of the found records by which they are counted: records with the same value count
    /// once. Nil to count each record.
    public let distinct: FieldPath?

    /// Creates a condition.
    ///
    /// - Parameters:
    ///   - link: how the records are found.
    ///   - condition: the condition on each of them.
    ///   - minimum: how many of them must satisfy the condition, at least 1.
    ///   - distinct: the field by which the records are counted; nil to count each record.
    public init(
        _ link: RecordLink, _ condition: ConditionTree, minimum: Int = 1,
        distinct: FieldPath? = nil
    ) {
        self.link = link
        self.condition = condition
        self.minimum = minimum
        self.distinct = distinct
    }

    /// Returns the same condition with another one on each of the records.
    package func with(_ condition: ConditionTree) -> Self {
        Self(link, condition, minimum: minimum, distinct: distinct)
    }
}

extension RelatedCondition {
    /// The condition in the syntax of schemas, with `?` for each value.
    var text: String {
        let inner = condition.text(in: link.target.linkedLayout)
        if minimum > 1 { return "count(\(link.name)) >= \(minimum)" }
        if link.reference == nil { return "any(\(link.name), \(inner))" }
        return "\(link.name)(\(inner))"
    }
}

extension LinkedRecord {
    /// The layout of the record.
    static var linkedLayout: FieldLayout { Mapper.layout }
}
