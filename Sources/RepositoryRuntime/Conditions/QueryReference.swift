/// A reference of an entity, for conditions on the record to which it leads:
/// `$0.author.name == "Lovelace"`.
///
/// A comparison through a reference is true if the record exists and its field compares so. Without
/// a record it is false, and `!` negates that.
@dynamicMemberLookup
public struct QueryReference<Root: MappedRecord, Target: LinkedRecord>: Sendable {
    /// The way from the record, outermost first.
    let links: [RecordLink]

    /// Creates a reference.
    ///
    /// - Parameters:
    ///   - name: the name of the reference in the schema.
    ///   - field: the index of the field that holds the id.
    public init(_ name: String, _ field: Int) {
        links = [RecordLink(name, FieldPath(field), to: Target.self)]
    }

    init(links: [RecordLink]) { self.links = links }

    /// A field of the record to which the reference leads.
    public subscript<Value>(
        dynamicMember member: KeyPath<Target.Fields, QueryField<Target, Value>>
    ) -> RelatedField<Root, Target, Value> {
        RelatedField(links: links, field: Target.Fields()[keyPath: member])
    }

    /// A reference of the record to which the reference leads.
    public subscript<Next>(
        dynamicMember member: KeyPath<Target.Fields, QueryReference<Target, Next>>
    ) -> QueryReference<Root, Next> {
        QueryReference<Root, Next>(links: links + Target.Fields()[keyPath: member].links)
    }

    /// A relation of the record to which the reference leads.
    public subscript<Related>(
        dynamicMember member: KeyPath<Target.Fields, QueryRelation<Target, Related>>
    ) -> QueryRelation<Root, Related> {
        let relation = Target.Fields()[keyPath: member]
        return QueryRelation<Root, Related>(links: links + relation.links, join: relation.join)
    }
}

/// A field of a record to which a reference leads, for conditions and sort orders.
@dynamicMemberLookup
public struct RelatedField<Root: MappedRecord, Target: LinkedRecord, Value: FieldValue>: Sendable {
    /// The way from the record, outermost first.
    let links: [RecordLink]
    /// The field of the target.
    let field: QueryField<Target, Value>

    /// A field of the embedded value.
    public subscript<Inner>(
        dynamicMember member: KeyPath<QueryField<Target, Value>, QueryField<Target, Inner>>
    ) -> RelatedField<Root, Target, Inner> {
        RelatedField<Root, Target, Inner>(links: links, field: field[keyPath: member])
    }

    /// Whether the field equals the value; false if the record does not exist.
    public static func == (field: Self, value: Value) -> Condition {
        field.linked(field.field == value)
    }

    /// Whether the field differs from the value; false if the record does not exist.
    public static func != (field: Self, value: Value) -> Condition {
        field.linked(field.field != value)
    }

    /// Whether the field equals one of the values; false if the record does not exist.
    public func `in`(_ values: [Value]) -> Condition { linked(field.in(values)) }

    /// Whether the list contains an element; false if the record does not exist.
    public func contains<Element: FieldValue>(_ element: Element) -> Condition
    where Value == [Element] {
        linked(field.contains(element))
    }

    /// Whether the list contains an element; false if the list is null or the record does not
    /// exist.
    public func contains<Element: FieldValue>(_ element: Element) -> Condition
    where Value == [Element]? {
        linked(field.contains(element))
    }

    /// Returns the condition on the record from a condition on the target.
    private func linked(_ condition: Condition) -> Condition {
        Condition(links.condition(condition.tree), of: Root.self)
    }
}

/// There is one overload for each operator, as for ``QueryField``.
extension RelatedField where Value: OrderedFieldValue {
    /// Whether the field is less than the value; false if it is null or the record does not exist.
    public static func < (field: Self, value: Value.Comparand) -> Condition {
        field.linked(field.field < value)
    }

    /// Whether the field is less than or equal to the value; false if it is null or the record does
    /// not exist.
    public static func <= (field: Self, value: Value.Comparand) -> Condition {
        field.linked(field.field <= value)
    }

    /// Whether the field is greater than the value; false if it is null or the record does not
    /// exist.
    public static func > (field: Self, value: Value.Comparand) -> Condition {
        field.linked(field.field > value)
    }

    /// Whether the field is greater than or equal to the value; false if it is null or the record
    /// does not exist.
    public static func >= (field: Self, value: Value.Comparand) -> Condition {
        field.linked(field.field >= value)
    }

    /// Whether the field lies in a range; false if it is null or the record does not exist.
    public func `in`<Bounds: QueryRange>(_ range: Bounds) -> Condition
    where Bounds.Bound == Value.Comparand {
        linked(field.in(range))
    }
}

extension RelatedField where Value: OrderedFieldValue, Value.Comparand == String {
    /// Whether the string contains another one; false if it is null or the record does not exist.
    ///
    /// - Parameters:
    ///   - text: the substring, compared by its UTF-8 bytes.
    ///   - ignoringCase: whether both strings are compared after simple case folding.
    public func contains(_ text: String, ignoringCase: Bool = false) -> Condition {
        linked(field.contains(text, ignoringCase: ignoringCase))
    }

    /// Whether the string starts with another one; false if it is null or the record does not
    /// exist.
    ///
    /// - Parameters:
    ///   - text: the prefix, compared by its UTF-8 bytes.
    ///   - ignoringCase: whether both strings are compared after simple case folding.
    public func hasPrefix(_ text: String, ignoringCase: Bool = false) -> Condition {
        linked(field.hasPrefix(text, ignoringCase: ignoringCase))
    }

    /// Whether the string equals another one after simple case folding of both; false if it is null
    /// or the record does not exist.
    public func equalsIgnoringCase(_ text: String) -> Condition {
        linked(field.equalsIgnoringCase(text))
    }
}
