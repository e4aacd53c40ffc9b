/// A table with what its values have in common and the types that its columns get.
struct ReadTable {
    let shape: TableShape
    let rows: Int
    let facts: [ColumnFacts]
    /// The types that the columns get.
    var guesses: [TypeGuess]
    /// The columns of a view without equal values and without null.
    let unique: [Int]
    /// Why the generated columns cannot be read; `nil` if they can.
    let unreadable: String?
    /// Whether the declared types of the columns are those of all values, so that the rows of a
    /// table are not read.
    let isTyped: Bool

    /// - Parameters:
    ///   - shape: the table.
    ///   - rows: the number of its rows.
    ///   - facts: the facts of its columns.
    ///   - unique: the columns of a view without equal values and without null.
    ///   - unreadable: why the generated columns cannot be read; `nil` if they can.
    init(
        _ shape: TableShape, rows: Int, facts: [ColumnFacts], unique: [Int] = [],
        unreadable: String? = nil
    ) {
        self.shape = shape
        self.rows = rows
        self.facts = facts
        self.unique = unique
        self.unreadable = unreadable
        isTyped = false
        let references = Set(shape.foreignKeys.flatMap(\.columns).map(SQLText.folded))
        guesses = shape.columns.indices.map { index in
            let column = shape.columns[index]
            return TypeGuess(
                column, facts[index],
                isKey: shape.key.contains(index) || references.contains(SQLText.folded(column.name))
            )
        }
    }

    /// A table whose declared types are those of all values.
    ///
    /// - Parameters:
    ///   - shape: the table.
    ///   - types: the types of its columns.
    ///   - rows: the number of the rows of a view; those of a table are not counted.
    ///   - unique: the columns of a view without equal values and without null.
    init(_ shape: TableShape, types: [TypeGuess], rows: Int = 0, unique: [Int] = []) {
        self.shape = shape
        self.rows = rows
        self.unique = unique
        facts = Array(repeating: ColumnFacts(), count: shape.columns.count)
        guesses = types
        unreadable = nil
        isTyped = true
    }

    /// The number of rows in words, with a comma before it; empty if they were not counted.
    var countedRows: String {
        isTyped && shape.kind != .view ? "" : ", " + Count.text(rows, "row")
    }

    /// The columns that identify a row: those of the primary key, or of a unique index that is never
    /// null. The number of the row, or the reason, if there are none.
    var identity: Identity {
        if shape.kind == .view { return identityOfView }
        let columns = identityOfTable
        guard case .none(let reason) = columns, shape.hasRowNumbers,
            shape.column(named: "rowid") == nil
        else { return columns }
        return .rowNumber(reason)
    }

    /// A column of a view whose values were all different, the one that is called `id` first.
    private var identityOfView: Identity {
        guard rows > 0 else { return .none("has no rows that show what identifies them") }
        let named = unique.first { ImportedName.isID(shape.columns[$0].name, of: shape.name) }
        guard let column = named ?? unique.first else {
            return .none("has no column with a different value in each row")
        }
        return .columns([column], isPrimary: false)
    }

    private var identityOfTable: Identity {
        if !shape.key.isEmpty {
            if let reason = reason(againstKey: shape.key) { return .none(reason) }
            return .columns(shape.key, isPrimary: true)
        }
        for index in shape.indexes
        where index.isUnique && !index.isPartial {
            let columns = index.parts.compactMap(\.column)
            guard columns.count == index.parts.count,
                columns.allSatisfy({ shape.columns[$0].isNotNull }),
                reason(againstKey: columns) == nil
            else { continue }
            return .columns(columns, isPrimary: false)
        }
        return .none("has no primary key")
    }

    /// The result of ``identity``.
    enum Identity {
        case columns([Int], isPrimary: Bool)
        /// The number of the row, with the reason why no column identifies it.
        case rowNumber(String)
        case none(String)
    }

    private func reason(againstKey key: [Int]) -> String? {
        for column in key {
            let name = SQLText.shown(shape.columns[column].name)
            guard let type = guesses[column].type else {
                return "its key \(name) has \(guesses[column].evidence)"
            }
            guard type != .anyText || !isTyped else {
                return "its key \(name) is \(guesses[column].evidence)"
            }
            guard type.isIdentifier else {
                return "its key \(name) is of the type \(type.name), which no id can have"
            }
            guard !shape.columns[column].isGenerated else {
                return "its key \(name) is computed by the database"
            }
            guard facts[column].nulls == 0 else {
                return "its key \(name) is null in \(Count.text(facts[column].nulls, "row"))"
            }
            let collation = shape.indexes.first {
                Set($0.parts.map(\.column)) == Set(key) && $0.isUnique
            }?
            .parts.first { $0.column == column }?.collation.uppercased()
            guard type != .string || collation == nil || collation == "BINARY" else {
                return "its key \(name) is compared by \(collation ?? ""), "
                    + "and ids are the same only where their bytes are"
            }
        }
        return nil
    }

    /// Whether a column must be part of each record that is stored.
    func isRequired(_ column: Int) -> Bool {
        let shape = shape.columns[column]
        return shape.isNotNull && shape.defaultValue == nil && !shape.isGenerated
            && !(self.shape.keyIsRowNumber && self.shape.key == [column])
    }
}
