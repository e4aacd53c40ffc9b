/// The direction of a sort key.
public enum SortDirection: String, Sendable, Hashable {
    /// Null first, then smallest to largest.
    case ascending
    /// Largest to smallest, then null.
    case descending
}

/// A field by which a query sorts, or a value that related records determine, with a direction.
public struct SortKey: Sendable {
    /// The field. If the query sorts by a ``relative``, this is the path of no field.
    public let path: FieldPath
    /// Whether larger values come last or first.
    public let direction: SortDirection
    /// The value of related records; nil for a field of the record itself.
    public let relative: RelatedValue?
    /// The values of ``relative``, if the runtime has looked them up.
    let lookup: RelatedLookup?
    /// Whether the runtime has looked up the values of ``relative``.
    package var isLookedUp: Bool { lookup != nil }

    /// Creates a sort key.
    public init(path: FieldPath, direction: SortDirection) {
        self.path = path
        self.direction = direction
        relative = nil
        lookup = nil
    }

    /// Creates a sort key for a value of related records.
    ///
    /// - Parameter lookup: the values, if they are known.
    init(
        _ relative: RelatedValue, _ direction: SortDirection, known lookup: RelatedLookup? = nil
    ) {
        path = FieldPath(-1)
        self.direction = direction
        self.relative = relative
        self.lookup = lookup
    }

    /// The value by which a record is sorted. The values of related records must be known.
    ///
    /// - Parameter record: the field values of the record, by field index.
    func value(in record: [StoredValue]) -> StoredValue {
        guard let lookup else { return path.value(in: record) }
        return lookup.value(in: record)
    }

    /// The paths of the values from which ``value(in:)`` is computed.
    var paths: [FieldPath] { lookup?.key.paths ?? (relative == nil ? [path] : []) }

    /// The sort key in the syntax of schemas, with `-` before a descending one.
    ///
    /// - Parameter layout: the layout of the entity.
    public func text(in layout: FieldLayout) -> String {
        (direction == .descending ? "-" : "")
            + (relative?.text(in: layout) ?? path.text(in: layout))
    }
}

extension SortKey: Hashable {
    /// Whether both sort by the same value in the same direction.
    public static func == (left: Self, right: Self) -> Bool {
        left.path == right.path && left.direction == right.direction
            && left.relative == right.relative
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(direction)
        hasher.combine(relative)
    }
}

/// A value by which a query can sort: a field, a field of a record to which a reference leads, or
/// the number of the records of a relation.
public protocol SortableValue<Root> {
    /// The record that is sorted.
    associatedtype Root: MappedRecord
    /// Returns the sort key in a direction.
    func sortKey(_ direction: SortDirection) -> SortKey
}

extension QueryField: SortableValue where Value: OrderedFieldValue {
    /// Returns the sort key in a direction.
    public func sortKey(_ direction: SortDirection) -> SortKey {
        SortKey(path: queryPath, direction: direction)
    }
}

extension RelatedField: SortableValue where Value: OrderedFieldValue {
    /// Returns the sort key in a direction. A missing record sorts like one whose field is null.
    public func sortKey(_ direction: SortDirection) -> SortKey {
        SortKey(.at(links, .field(Target.comparable(field.queryPath))), direction)
    }
}

extension RelatedCount: SortableValue {
    /// Returns the sort key in a direction. Behind a reference without a record, the number is
    /// null.
    public func sortKey(_ direction: SortDirection) -> SortKey {
        guard let last = relation.links.last else {
            return SortKey(path: FieldPath(-1), direction: direction)
        }
        return SortKey(
            .at(relation.links.dropLast(), .count(last, through: relation.join)), direction)
    }
}
