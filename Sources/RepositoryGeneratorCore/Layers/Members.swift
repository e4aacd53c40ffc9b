/// The named members that templates can read from a subject. Each name is declared once, together
/// with its getter.
///
/// The same list serves rendering, `--dump-context`, and the check of the names in templates.
///
/// ```swift
/// static let members = Members<Self, Any>([
///     "name": { $0.name },
///     "plural": { $0.plural },
/// ])
/// ```
struct Members<Subject, Value>: Sendable {
    /// Computes the value of a member.
    typealias Getter = @Sendable (Subject) -> Value

    /// The names in the order of printing.
    let keys: [String]
    /// The names that are not inherited from a part of the subject.
    let ownKeys: [String]
    /// The getters by name.
    private let getters: [String: Getter]

    /// Creates members, in the order of printing.
    init(_ members: KeyValuePairs<String, Getter>) {
        self.init(
            keys: members.map(\.key), ownKeys: members.map(\.key),
            getters: Dictionary(
                members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first }))
    }

    private init(keys: [String], ownKeys: [String], getters: [String: Getter]) {
        self.keys = keys
        self.ownKeys = ownKeys
        self.getters = getters
    }

    /// Returns the same members for a type that contains the subject.
    func of<Whole>(
        _ part: @escaping @Sendable (Whole) -> Subject
    ) -> Members<Whole, Value> {
        Members<Whole, Value>(
            keys: keys, ownKeys: ownKeys,
            getters: getters.mapValues { getter in { getter(part($0)) } })
    }

    /// Returns these members followed by those of a part of the subject. A name that both declare
    /// keeps this getter.
    func followed<Part>(
        by other: Members<Part, Value>, of part: @escaping @Sendable (Subject) -> Part
    ) -> Members {
        let added = other.of(part)
        return Members(
            keys: keys + added.keys.filter { getters[$0] == nil }, ownKeys: ownKeys,
            getters: getters.merging(added.getters) { own, _ in own })
    }

    /// Returns these members followed by others of the same subject.
    func followed(by other: Members) -> Members {
        let all = followed(by: other) { $0 }
        return Members(keys: all.keys, ownKeys: all.keys, getters: all.getters)
    }

    /// Returns the value of a member, or nil if the name is unknown.
    func value(_ name: String, of subject: Subject) -> Value? { getters[name]?(subject) }

    /// Returns all members of a subject, in the order of printing.
    func all(of subject: Subject) -> [(name: String, value: Value)] {
        keys.compactMap { name in getters[name].map { (name, $0(subject)) } }
    }
}

/// Returns an optional value for the template engine, with `false` in place of nil. For nil the
/// engine would look up the name in the enclosing layer.
func orFalse(_ value: (some Any)?) -> Any {
    if let value { return value }
    return false
}
