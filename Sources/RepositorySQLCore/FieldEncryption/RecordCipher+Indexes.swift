package import Foundation
package import RepositoryRuntime
internal import Synchronization

/// The hashes of the fields that have an index.
extension RecordCipher {
    /// The fields of which the stored values are preceded by their hashes.
    package var indexedFields: [Int] { ignoringCase.keys.sorted() }

    /// Returns whether the stored values of a field are preceded by their hashes.
    package func isIndexed(_ field: Int) -> Bool { ignoringCase[field] != nil }

    /// The number of the column of a field that has an index; nil for another field.
    package func columnNumber(_ field: Int) -> Data? { columnNumbers.withLock { $0[field] } }

    /// Takes the numbers of the columns that a store has noted.
    package func add(_ columns: [NumberedColumn]) {
        notedColumns.withLock { $0 = columns }
        for field in indexedFields {
            guard let noted = columns.first(where: { isOf(field, $0) }) else { continue }
            columnNumbers.withLock { $0[field] = noted.number }
        }
    }

    /// Whether a noted column is that of a field now.
    private func isOf(_ field: Int, _ column: NumberedColumn) -> Bool {
        hasTable(of: column) && String.isSameIdentifier(column.column, columns[field])
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
            columnNumber(field).map {
                NumberedColumn(table: tableName, column: columns[field], number: $0)
            }
        }
    }

    /// Whether a noted column is one of the table.
    package func hasTable(of column: NumberedColumn) -> Bool {
        String.isSameIdentifier(tableName, column.table)
    }

    /// The noted numbers of other columns than that of a field.
    package func numbers(besides field: Int) -> Set<Data> {
        let noted = notedColumns.withLock { $0 }
        return Set(noted.filter { !isOf(field, $0) }.map(\.number))
    }

    /// The fields without an index whose values may be preceded by hashes: there are none if each
    /// noted column of the table still has its index.
    package func formerlyIndexed(_ columns: [NumberedColumn]) -> [Int] {
        let isChanged = columns.contains { column in
            hasTable(of: column) && !indexedFields.contains { isOf($0, column) }
        }
        return isChanged ? fields.filter { !isIndexed($0) } : []
    }
}

/// The number of a column with hashes, which a store notes.
///
/// The names are those in the database: a program with an earlier name of a property may go on, and
/// finds the number under the name of the column.
package struct NumberedColumn: Sendable, Hashable, Codable {
    /// The name of the table.
    package var table: String
    /// The name of the column.
    package var column: String
    /// The number.
    package var number: Data
}
