package import Foundation
internal import RepositoryRuntime

/// What precedes the encrypted value of a field that has an index: the keyed hash of the value, by
/// which the index finds it.
///
/// The bytes are the mark `SRI`, a byte that says whether the case of strings was ignored, the number
/// of the column (8 bytes), and the hash (32 bytes). The random number of the column is part of what
/// is hashed, so that hashes of two columns cannot be compared. A renamed column keeps its number.
package enum IndexHead {
    /// The number of bytes of a head.
    package static let size = 44
    /// The number of bytes before the hash, which the values of a column have in common.
    package static let prefixSize = 12
    /// The mark with which a head begins.
    package static let mark = Data([0x53, 0x52, 0x49])
    /// The number of bytes of the number of a column.
    private static let numberSize = 8

    /// Returns a random number for a new column.
    static func newNumber() -> Data {
        withUnsafeBytes(of: UInt64.random(in: .min ... .max)) { Data($0) }
    }

    /// Returns the bytes before the hash.
    static func prefix(_ column: Data, ignoringCase: Bool) -> Data {
        mark + [ignoringCase ? 2 : 1] + column
    }

    /// Returns the number of the column in the first bytes of a head; nil if they are those of a
    /// value without a head, or of a head that treats the case of strings otherwise.
    static func number(in prefix: Data, ignoringCase: Bool) -> Data? {
        guard prefix.count == prefixSize else { return nil }
        let number = Data(prefix.suffix(numberSize))
        return prefix == self.prefix(number, ignoringCase: ignoringCase) ? number : nil
    }

    /// Returns whether a stored value begins with a head.
    package static func precedes(_ stored: Data) -> Bool {
        stored.count >= size && stored.starts(with: mark)
    }

    /// Returns the encrypted value of a stored one, without a head.
    package static func sealed(_ stored: Data) -> Data {
        precedes(stored) ? Data(stored.dropFirst(size)) : stored
    }

    /// Returns the head of a stored value; nil if there is none.
    package static func head(of stored: Data) -> Data? {
        precedes(stored) ? Data(stored.prefix(size)) : nil
    }
}

/// Decides by what is stored in a column whether its hashes are usable.
package struct IndexHeadCheck {
    /// The bytes before the hash that all values of the column must have.
    package let prefix: Data
    /// Whether values have other ones, or none.
    package let isOutdated: Bool
}

extension CRUDRepositoryError {
    /// Returns the error for a schema with an index over an encrypted field in a store whose
    /// encryption has no key of indexes.
    static func indexKeyMissing(for table: EntityTable, field: String, in store: String) -> Self {
        Self(
            .keyNotFound,
            "The schema has an index over the encrypted field '\(field)', and the encryption of the store has no key of indexes: \(store).",
            table: table.name, field: field)
    }
}
