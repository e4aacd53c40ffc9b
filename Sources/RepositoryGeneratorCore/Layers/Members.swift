/// What templates can ask a subject for: each name stands here once, with what it gives.
///
/// The same list serves rendering, printing with `--dump-context`, and the check of the names in templates.
struct Members<Subject, Value>: Sendable {
    /// What a subject gives for a name.
    typealias Getter = @Sendable (Subject) -> Value

    /// The names in the order of printing.
    let keys: [String]
    /// The names that are not those of a part of the subject.
    let ownKeys: [String]
    private let getters: [String: Getter]

    /// Lists members in the order of printing.
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

    /// The same members of something that the subject is a part of.
    func of<Whole>(
        _ part: @escaping @Sendable (Whole) -> Subject
    ) -> Members<Whole, Value> {
        Members<Whole, Value>(
            keys: keys, ownKeys: ownKeys,
            getters: getters.mapValues { getter in { getter(part($0)) } })
    }

    /// These members, then those of a part of the subject that have other names.
    func followed<Part>(
        by other: Members<Part, Value>, of part: @escaping @Sendable (Subject) -> Part
    ) -> Members {
        let added = other.of(part)
        return Members(
            keys: keys + added.keys.filter { getters[$0] == nil }, ownKeys: ownKeys,
            getters: getters.merging(added.getters) { own, _ in own })
    }

    /// These members, then others of the same subject.
    func followed(by other: Members) -> Members {
        let all = followed(by: other) { $0 }
        return Members(keys: all.keys, ownKeys: all.keys, getters: all.getters)
    }

    /// What a subject gives for a name; nil for a name that is none of these.
    func value(_ name: String, of subject: Subject) -> Value? { getters[name]?(subject) }

    /// What a subject gives, in the order of printing.
    func all(of subject: Subject) -> [(name: String, value: Value)] {
        keys.compactMap { name in getters[name].map { (name, $0(subject)) } }
    }
}

/// A value that may be absent, as templates are given it: nil would make the engine look for the name in the layer outside.
func orFalse(_ value: (some Any)?) -> Any {
    if let value { return value }
    return false
}
