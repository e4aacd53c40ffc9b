internal import Foundation

/// Checks the rules that apply to every item on every store: strings without U+0000, finite
/// numbers, and no empty id.
///
/// It is a field encoder that produces nothing, so that it reaches every nested value.
///
/// The rules are checked on every write, after the entity was stamped, rounded and validated. The
/// encoder also reports negative zeros, which are replaced before the entity is stored.
struct ItemRules: FieldEncoder, Sendable {
    /// The layout of the record being checked; nil inside lists and maps.
    private var layout: FieldLayout?
    /// The index of the id field if the id is a single field; nil otherwise.
    private var key: Int?
    /// Whether a number that was checked is negative zero.
    private var holdsNegativeZero = false
    /// The violations found so far; nil if the first one throws.
    private var failures: [FieldFailure]?

    /// Creates rules for a nested value, which has no id.
    private init(_ layout: FieldLayout?, inside outer: ItemRules) {
        self.layout = layout
        if outer.failures != nil { failures = [] }
    }

    /// The rules of the records of a table.
    init(_ table: EntityTable) {
        layout = table.layout
        key = table.key.count == 1 ? table.key[0] : nil
    }

    /// Checks an entity of the table.
    ///
    /// - Returns: whether any of its numbers is negative zero.
    /// - Throws: `invalidItem` with the path of the field that violates a rule.
    func check<E: Entity>(_ entity: E) throws -> Bool {
        var rules = self
        try FieldFailure.reported { try E.Mapper.encode(entity, to: &rules) }
        return rules.holdsNegativeZero
    }

    /// Returns the errors of all violations of an entity of the table.
    ///
    /// - Throws: the error of an encoder, which is not about a rule.
    func violations<E: Entity>(of entity: E) throws -> [CRUDRepositoryError] {
        var rules = self
        rules.failures = []
        try FieldFailure.reported { try E.Mapper.encode(entity, to: &rules) }
        return (rules.failures ?? []).map(\.repositoryError)
    }

    /// Reports a violation at a field, with its path. Throws it unless violations are collected.
    private mutating func report(_ reason: String, at index: Int) throws {
        let error = FieldFailure.inside(layout, index, FieldFailure(reason))
        guard failures != nil, let failure = error as? FieldFailure else { throw error }
        failures?.append(failure)
    }

    /// Checks the nested values of a field. Errors get the field's path.
    private func check(inside index: Int, _ body: () throws -> Void) throws {
        do { try body() } catch { throw FieldFailure.inside(layout, index, error) }
    }

    /// Takes over what was found inside a field.
    private mutating func note(
        _ inner: ItemRules, _ located: (FieldFailure) -> any Error
    ) {
        if inner.holdsNegativeZero { holdsNegativeZero = true }
        guard let found = inner.failures, !found.isEmpty else { return }
        failures?.append(contentsOf: found.compactMap { located($0) as? FieldFailure })
    }

    /// Takes over what was found inside a field.
    private mutating func note(_ inner: ItemRules, at index: Int) {
        let layout = layout
        note(inner) { FieldFailure.inside(layout, index, $0) }
    }

    /// Whether a string contains U+0000. It is called for every string that is written.
    private static func containsNul(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            guard let start = bytes.baseAddress else { return false }
            return memchr(start, 0, bytes.count) != nil
        } ?? text.utf8.contains(0)
    }
}

/// The methods for single values. Types without rules are accepted as they are.
extension ItemRules {
    mutating func encodeNil(at index: Int) throws {}
    mutating func encodeBool(_ value: Bool, at index: Int) throws {}
    mutating func encodeInteger(_ value: Int64, at index: Int) throws {}
    mutating func encodeDate(_ value: Date, at index: Int) throws {}
    mutating func encodeUUID(_ value: UUID, at index: Int) throws {}
    mutating func encodeData(_ value: Data, at index: Int) throws {}

    mutating func encodeFloat(_ value: Float, at index: Int) throws {
        guard value.isFinite else { return try report("is not a finite number", at: index) }
        if value.isZero, value.sign == .minus { holdsNegativeZero = true }
    }

    mutating func encodeDouble(_ value: Double, at index: Int) throws {
        guard value.isFinite else { return try report("is not a finite number", at: index) }
        if value.isZero, value.sign == .minus { holdsNegativeZero = true }
    }

    mutating func encodeDecimal(_ value: Decimal, at index: Int) throws {
        guard value.isFinite else { return try report("is not a finite number", at: index) }
    }

    mutating func encodeString(_ value: String, at index: Int) throws {
        if Self.containsNul(value) { try report("contains the character U+0000", at: index) }
        if index == key, value.isEmpty {
            try report("must not be empty: it is the id", at: index)
        }
    }

    mutating func encodeURL(_ value: URL, at index: Int) throws {
        if Self.containsNul(value.absoluteString) {
            try report("contains the character U+0000", at: index)
        }
    }
}

/// The methods for nested values. Each checks its contents with rules of its own, so that errors
/// get the full path.
extension ItemRules {
    mutating func encodeComposite<V: CompositeEntityID>(_ value: V, at index: Int) throws {
        var inner = ItemRules(V.Mapper.layout, inside: self)
        try check(inside: index) { try V.Mapper.encode(value, to: &inner) }
        note(inner, at: index)
    }

    mutating func encodeObject<V: EmbeddedValue>(_ value: V, at index: Int) throws {
        var inner = ItemRules(V.Mapper.layout, inside: self)
        try check(inside: index) { try V.Mapper.encode(value, to: &inner) }
        note(inner, at: index)
    }

    mutating func encodeList<V: FieldValue>(_ value: [V], at index: Int) throws {
        var inner = ItemRules(nil, inside: self)
        try check(inside: index) {
            for (position, element) in value.enumerated() {
                try element.encode(to: &inner, at: position)
            }
        }
        note(inner, at: index)
    }

    mutating func encodeMap<V: FieldValue>(_ value: [String: V], at index: Int) throws {
        for (key, element) in value {
            if Self.containsNul(key) {
                try report("has a key with the character U+0000", at: index)
            }
            var inner = ItemRules(nil, inside: self)
            do {
                try element.encode(to: &inner, at: 0)
            } catch {
                throw FieldFailure.inside(layout, index, FieldFailure.replacing(key, error))
            }
            let layout = layout
            note(inner) {
                FieldFailure.inside(layout, index, FieldFailure.replacing(key, $0))
            }
        }
    }
}
