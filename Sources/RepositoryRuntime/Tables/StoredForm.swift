/// A representation of a column in SQLite other than the default of its type, for existing
/// databases.
///
/// | Representation | `Date` | `UUID` | `Decimal` |
/// |---|---|---|---|
/// | ``text`` | `YYYY-MM-DD HH:MM:SS.SSS` in UTC | 36 uppercase characters | decimal digits |
/// | ``integer`` | seconds since 1970 | | × 10ˢᶜᵃˡᵉ, the default with a scale |
/// | ``real`` | seconds since 1970 | | nearest floating-point number |
/// | ``blob`` | | 16 bytes | |
/// | ``lowercaseText`` | | 36 lowercase characters | |
public enum StoredForm: String, Sendable, Hashable, CaseIterable {
    /// A string.
    case text
    /// An integer.
    case integer
    /// A floating-point number.
    case real
    /// Bytes.
    case blob
    /// A string with lowercase letters.
    case lowercaseText
    /// A date in the form ``DateForm/textSeconds``.
    case textSeconds
    /// A date in the form ``DateForm/iso8601``.
    case iso8601
    /// A date in the form ``DateForm/iso8601Milliseconds``.
    case iso8601Milliseconds
    /// A date in the form ``DateForm/iso8601Microseconds``.
    case iso8601Microseconds
    /// A date in the form ``DateForm/milliseconds``.
    case milliseconds
    /// A date in the form ``DateForm/microseconds``.
    case microseconds
    /// A date in the form ``DateForm/secondsSince2001``.
    case secondsSince2001
    /// A date in the form ``DateForm/julianDay``.
    case julianDay
    /// Encrypted bytes, for a value of any type that is no reference. The stores of SQL databases
    /// have them; a field gets this form by `encrypted`, and not by `storedAs`.
    case encrypted
}

extension EntityTable {
    /// Whether a field is declared with `encrypted: true`.
    package var hasEncryptedFields: Bool { fields.contains(where: \.isEncrypted) }

    /// Whether a field is encrypted and has an index, for which SQL stores hash its values.
    package func isEncryptedWithIndex(_ field: Int) -> Bool {
        fields[field].isEncrypted
            && indexes.contains { $0.keys.map(\.path) == [FieldPath(field)] }
    }

    /// Whether an index contains an encrypted field. In SQL stores, it has hashes and no order.
    package func encryptsKey(of index: TableIndex) -> Bool {
        index.keys.contains { fields[$0.field].isEncrypted }
    }
}

extension TableField {
    /// Whether the field is declared with `encrypted: true`.
    package var isEncrypted: Bool { storedAs == .encrypted }
}
