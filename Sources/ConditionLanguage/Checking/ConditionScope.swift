package import StoredSchema

/// What the names in conditions mean: the declarations of a schema, or the description of stored
/// data.
///
/// ``ConditionChecker`` resolves the names of a condition with it. ``StoredScope`` is the scope of
/// a program that runs.
package protocol ConditionScope {
    /// The type of a field.
    associatedtype FieldType: ConditionFieldType
    /// A kind of records, with fields, relations and an id.
    associatedtype Record
    /// A field of a record or of an embedded value.
    associatedtype Field
    /// A relation of a record.
    associatedtype Relation

    /// Returns what a type is, regardless of its outermost optional.
    func conditionKind(of type: FieldType) -> ConditionKind<Self>
    /// Returns the name of a type that is neither a list nor a map, as schemas write it.
    func name(of type: FieldType) -> String

    /// The noun for a kind of records, for messages: `entity`.
    var recordNoun: String { get }
    /// Returns the name of a kind of records.
    func name(of record: Record) -> String
    /// Returns whether all members of a record are known. If not, an unknown name is not reported.
    func isComplete(_ record: Record) -> Bool
    /// Returns the fields of a record, in order.
    func fields(of record: Record) -> [Field]
    /// Returns the field that is the id; nil for an id of several fields.
    func idField(of record: Record) -> Field?
    /// Returns the type of the ids of a record, which is also that of references to it.
    func idType(of record: Record) -> FieldType

    /// Returns the name of a field as it is declared.
    func name(of field: Field) -> String
    /// Returns the name of the property that holds a field: `authorID` for the reference `author`.
    func property(of field: Field) -> String
    /// Returns the type of a field.
    func type(of field: Field) -> FieldType
    /// Returns whether the data of a field is stored apart from its record.
    func isExternal(_ field: Field) -> Bool
    /// Returns whether a field is encrypted.
    func isEncrypted(_ field: Field) -> Bool

    /// Returns the names of the relations of a record, in order.
    func relationNames(of record: Record) -> [String]
    /// Returns the declared relation of a name; nil if a declaration that it needs is not known.
    func relation(_ name: String, of record: Record) -> ConditionLink<Self>?

    /// Returns the reason why a parameter cannot have a name; nil if it can.
    func problem(ofParameter name: String) -> (message: String, help: String)?
}

/// The type of a field, as conditions see it.
package protocol ConditionFieldType: Hashable {
    /// Whether values of the type may be null.
    var isOptional: Bool { get }
    /// The type without its outermost optional.
    var unwrapped: Self { get }
    /// The type of numbers of records.
    static var count: Self { get }
    /// The type of values of a type or null.
    static func optional(_ wrapped: Self) -> Self
    /// The type of lists of values.
    static func list(_ element: Self) -> Self
}

/// What a type is to a condition.
package enum ConditionKind<Scope: ConditionScope> {
    /// A single value.
    case base(StoredBaseType)
    /// A list of elements of a type.
    case list(Scope.FieldType)
    /// A map with values of a type.
    case map(Scope.FieldType)
    /// An enum.
    case enumeration(ConditionEnumeration)
    /// The id of a record: its own, or that of a record to which it refers.
    case record(Scope.Record)
    /// An embedded value with its name, if it has one, and its fields. If not all fields are known,
    /// an unknown name is not reported.
    case value(name: String?, fields: [Scope.Field], isComplete: Bool)
    /// A union, by its name.
    case union(String)
    /// A type whose values only the program knows, by its name.
    case scalar(String)
    /// A type that is not declared, or whose declaration has errors.
    case unknown
}

/// A relation with the record to which it leads.
package struct ConditionLink<Scope: ConditionScope> {
    /// The relation.
    package var relation: Scope.Relation
    /// The related record.
    package var target: Scope.Record
    /// The number of references that it follows one after another: two through a join.
    package var links: Int
    /// Whether a field of the same name hides the relation.
    package var isHidden: Bool

    /// Creates a link.
    package init(
        _ relation: Scope.Relation, to target: Scope.Record, links: Int = 1, isHidden: Bool = false
    ) {
        self.relation = relation
        self.target = target
        self.links = links
        self.isHidden = isHidden
    }
}

/// An enum, as conditions and literals name its cases.
package struct ConditionEnumeration {
    /// The name; nil if it is not known.
    package var name: String?
    /// The names of the cases, in order, with the raw values that differ from them.
    package var cases: [(name: String, raw: String?)]
    /// Whether all cases are known. If not, an unknown name is not reported.
    package var isComplete: Bool

    /// Describes an enum.
    package init(name: String?, cases: [(name: String, raw: String?)], isComplete: Bool = true) {
        self.name = name
        self.cases = cases
        self.isComplete = isComplete
    }

    /// The enum with its article, for messages.
    package var title: String { name.map { "the enum '\($0)'" } ?? "the enum" }

    /// Returns whether the enum has a case of a name.
    package func contains(_ name: String) -> Bool { cases.contains { $0.name == name } }

    /// Returns the problem of a text that is no name of a case; nil if it is one, or if it may be a
    /// case that is not known.
    package func problem(_ text: String) -> LiteralProblem? {
        guard !contains(text), isComplete else { return nil }
        return LiteralProblem(
            "\(title) has no case '\(text)'",
            cases.first { $0.raw == text }.map { "write the case's name: '\($0.name)'" }
                ?? NearestName.help(for: text, among: cases.map(\.name), kind: "cases"))
    }
}
