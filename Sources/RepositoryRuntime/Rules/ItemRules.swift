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

    /// Creates rules for a nested value, which has no id.
    private init(_ layout: FieldLayout?) {
        self.layout = layout
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

    /// The error for a field, with its path.
    private func failure(_ reason: String, at index: Int) -> any Error {
        FieldFailure.inside(layout, index, FieldFailure(reason))
    }

    /// Checks the nested values of a field. Errors get the field's path.
    private func check(inside index: Int, _ body: () throws -> Void) throws {
        do { try body() } catch { throw FieldFailure.inside(layout, index, error) }
    }

    /// Takes over what was found inside a field.
    private mutating func note(_ inner: ItemRules) {
        if inner.holdsNegativeZero { holdsNegativeZero = true }
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
        guard value.isFinite else { throw failure("is not a finite number", at: index) }
        if value.isZero, value.sign == .minus { holdsNegativeZero = true }
    }

    mutating func encodeDouble(_ value: Double, at index: Int) throws {
        guard value.isFinite else { throw failure("is not a finite number", at: index) }
        if value.isZero, value.sign == .minus { holdsNegativeZero = true }
    }

    mutating func encodeDecimal(_ value: Decimal, at index: Int) throws {
        guard value.isFinite else { throw failure("is not a finite number", at: index) }
    }

    mutating func encodeString(_ value: String, at index: Int) throws {
        if Self.containsNul(value) { throw failure("contains the character U+0000", at: index) }
        if index == key, value.isEmpty {
            throw failure("must not be empty: it is the id", at: index)
        }
    }

    mutating func encodeURL(_ value: URL, at index: Int) throws {
        if Self.containsNul(value.absoluteString) {
            throw failure("contains the character U+0000", at: index)
        }
    }
}

/// The methods for nested values. Each checks its contents with rules of its own, so that errors
/// get the full path.
extension ItemRules {
    mutating func encodeComposite<V: CompositeEntityID>(_ value: V, at index: Int) throws {
        var inner = ItemRules(V.Mapper.layout)
        try check(inside: index) { try V.Mapper.encode(value, to: &inner) }
        note(inner)
    }

    mutating func encodeObject<V: EmbeddedValue>(_ value: V, at index: Int) throws {
        var inner = ItemRules(V.Mapper.layout)
        try check(inside: index) { try V.Mapper.encode(value, to: &inner) }
        note(inner)
    }

    mutating func encodeList<V: FieldValue>(_ value: [V], at index: Int) throws {
        var inner = ItemRules(nil)
        try check(inside: index) {
            for (position, element) in value.enumerated() {
                try element.encode(to: &inner, at: position)
            }
        }
        note(inner)
    }

    mutating func encodeMap<V: FieldValue>(_ value: [String: V], at index: Int) throws {
        for (key, element) in value {
            if Self.containsNul(key) {
                throw failure("has a key with the character U+0000", at: index)
            }
            var inner = ItemRules(nil)
            do {
                try element.encode(to: &inner, at: 0)
            } catch {
                throw FieldFailure.inside(layout, index, FieldFailure.replacing(key, error))
            }
            note(inner)
        }
    }
}
