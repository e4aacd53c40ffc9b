/// A value that a query sorts by and that other records determine: a field of a record to which
/// references lead, or the number of the records of a relation.
///
/// It is null if a reference on the way is null or leads to no record.
public indirect enum RelatedValue: Sendable, Hashable {
    /// A field of the record itself.
    case field(FieldPath)
    /// The number of the records that a link finds. With a second link, which is a reference of
    /// these records: the number of different records to which they refer.
    case count(RecordLink, through: RecordLink?)
    /// A value of the record to which a reference leads.
    case behind(RecordLink, RelatedValue)
}

extension RelatedValue {
    /// Returns the value of the record at the end of some references.
    static func at(_ links: some BidirectionalCollection<RecordLink>, _ value: Self) -> Self {
        links.reversed().reduce(value) { .behind($1, $0) }
    }

    /// How many links are followed one after another.
    var depth: Int {
        switch self {
        case .field: 0
        case .count(_, let join): join == nil ? 1 : 2
        case .behind(_, let value): value.depth + 1
        }
    }

    /// The names of the tables whose records determine the value.
    var tables: Set<String> {
        switch self {
        case .field: []
        case .count(let link, let join):
            Set([link, join].compactMap { $0?.target.linkedTable })
        case .behind(let link, let value): value.tables.union([link.target.linkedTable])
        }
    }

    /// The value in the syntax of schemas, `author.name` or `count(author.books)`, without the
    /// names below sensitive fields.
    ///
    /// - Parameter layout: the layout of the record that has the value.
    func text(in layout: FieldLayout) -> String { text([], layout) { $0.text(in: $1) } }

    /// The value with all its names, and `~` behind a field that ignores case, for what is compared
    /// and never shown.
    func wholeText(in layout: FieldLayout) -> String {
        text([], layout) { $0.wholeText(in: $1) + ($0.ignoresCase ? "~" : "") }
    }

    private func text(
        _ way: [String], _ layout: FieldLayout, _ name: (FieldPath, FieldLayout) -> String
    ) -> String {
        switch self {
        case .field(let path): (way + [name(path, layout)]).joined(separator: ".")
        case .count(let link, _): "count(\((way + [link.name]).joined(separator: ".")))"
        case .behind(let link, let value):
            value.text(way + [link.name], link.target.linkedLayout, name)
        }
    }

    /// Whether the value can be equal to another one, which may come from outside.
    func canBe(_ value: StoredValue, in layout: FieldLayout) -> Bool {
        switch self {
        case .field(let path): path.canHold(value, in: layout)
        case .count:
            if case .integer(let number) = value { number >= 0 } else { false }
        case .behind(let link, let inner):
            value == .null || inner.canBe(value, in: link.target.linkedLayout)
        }
    }
}
