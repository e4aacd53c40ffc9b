package import Foundation
internal import Synchronization

/// The hashes of the fields that have an index.
extension RecordCipher {
    /// The fields of which the stored values are preceded by their hashes.
    package var indexedFields: [Int] { ignoringCase.keys.sorted() }

    /// Returns whether the stored values of a field are preceded by their hashes.
    package func isIndexed(_ field: Int) -> Bool { ignoringCase[field] != nil }

    /// The number of the column of a field that has an index; nil for another field.
    package func columnNumber(_ field: Int) -> Data? { columnNumbers.withLock { $0[field] } }

    /// Takes the numbers of columns that a store has noted for the present names of fields.
    package func add(_ columns: [NumberedColumn]) {
        for field in indexedFields {
            guard let name = names(of: field).first,
                let noted = columns.first(where: { $0.name == name })
            else { continue }
            columnNumbers.withLock { $0[field] = noted.number }
        }
    }

    /// Returns what precedes a value that is stored in a column with an index.
    ///
    /// - Parameters:
    ///   - value: the value; not null.
    ///   - field: a field that has an index.
    /// - Throws: ``CRUDRepositoryError`` if the hash cannot be computed.
    package func head(of value: StoredValue, _ field: Int) throws -> Data {
        guard let ignoresCase = ignoringCase[field], let number = columnNumber(field) else {
            return Data()
        }
        let prefix = IndexHead.prefix(number, ignoringCase: ignoresCase)
        var writer = IndexKeyWriter()
        writer.append(
            ignoresCase ? value.caseFolded : value, layout.fields[field].type, descending: false)
        let hash = try cipher.indexHash(of: prefix + writer.bytes)
        guard hash.count == IndexHead.size - IndexHead.prefixSize else {
            throw CRUDRepositoryError(
                .databaseError, "The encryption has made a hash of \(hash.count) bytes, not of 32.")
        }
        return prefix + hash
    }

    /// Determines the number of a column from the values in it, and whether they must be hashed
    /// again.
    ///
    /// A column that was renamed has values with its number. Values without a hash, with those of
    /// another column, or with two numbers, were stored before the column had the index.
    ///
    /// - Parameters:
    ///   - field: a field that has an index.
    ///   - first: the first 12 bytes of the smallest value in the order of the index; nil if the
    ///     column has no values.
    ///   - last: those of the greatest value.
    ///   - taken: the numbers of other columns.
    package func check(
        _ field: Int, from first: Data?, to last: Data?, taken: Set<Data>
    ) -> IndexHeadCheck {
        let ignoresCase = ignoringCase[field] ?? false
        let known = columnNumber(field).flatMap { taken.contains($0) ? nil : $0 }
        var (number, isOutdated) = (known ?? IndexHead.newNumber(), first != nil)
        if let first, first == last,
            let stored = IndexHead.number(in: first, ignoringCase: ignoresCase),
            !taken.contains(stored)
        {
            (number, isOutdated) = (stored, false)
        }
        columnNumbers.withLock { [number] in $0[field] = number }
        return IndexHeadCheck(
            prefix: IndexHead.prefix(number, ignoringCase: ignoresCase), isOutdated: isOutdated)
    }

    /// The numbers of the columns with an index, under their present names.
    package var numberedColumns: [NumberedColumn] {
        indexedFields.compactMap { field in
            guard let name = names(of: field).first, let number = columnNumber(field) else {
                return nil
            }
            return NumberedColumn(name: name, number: number)
        }
    }

    /// The noted columns that a field of the table has or had, under their present and earlier
    /// names.
    package func owned(_ columns: [NumberedColumn]) -> [NumberedColumn] {
        columns.filter { owns([$0.name]) }
    }

    /// The fields without an index of which values may be preceded by hashes, because a noted
    /// column has or had their name.
    package func formerlyIndexed(_ columns: [NumberedColumn]) -> [Int] {
        fields.filter { field in
            !isIndexed(field) && columns.contains { names(of: field).contains($0.name) }
        }
    }
}

/// The number of a column with hashes, which a store notes.
package struct NumberedColumn: Sendable, Hashable, Codable {
    /// The names of the table and the field.
    package var name: RecordCipher.Names
    /// The number.
    package var number: Data
}
