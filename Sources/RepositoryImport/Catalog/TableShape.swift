/// A table or view as its database declares it.
struct TableShape {
    /// What a relation of the database is.
    enum Kind: Equatable {
        case table
        case view
        /// A virtual table, with the name of its module if it is known.
        case virtual
        /// A table that belongs to a virtual table.
        case shadow
        /// A relation that is not described, with the reason.
        case other(String)
    }

    let name: String
    let kind: Kind
    /// The columns, including generated ones, in order.
    var columns: [Column] = []
    /// The positions of the columns of the primary key, in its order.
    var key: [Int] = []
    /// Whether the key is an alias of the row number.
    var keyIsRowNumber = false
    /// Whether SQLite never gives a key of this table again.
    var isAutoincrement = false
    /// Whether its rows have numbers: it is a table, and not one `WITHOUT ROWID`.
    var hasRowNumbers = false
    /// Why a view cannot be read; `nil` if it can.
    var problem: String?
    /// The indexes, in the order of their creation.
    var indexes: [Index] = []
    /// The foreign keys, in the order of their declaration.
    var foreignKeys: [ForeignKey] = []
    /// The names of the triggers, in order.
    var triggers: [String] = []
    /// The conditions of the CHECK constraints, in order.
    var checks: [Check] = []
    /// What the database says about the table; empty if it says nothing.
    var comment = ""

    /// A column.
    struct Column {
        let name: String
        /// The declared type; empty if there is none.
        let type: String
        let isNotNull: Bool
        /// The SQL of the default; `nil` if there is none.
        let defaultValue: String?
        let isGenerated: Bool
        /// Whether it is a hidden column of a virtual table.
        let isHidden: Bool
        /// What the database says about the column; empty if it says nothing.
        var comment = ""
        /// The labels of the column's type, if it is an enum of the database.
        var labels: [String] = []
        /// The most characters that the declared type holds.
        var mostCharacters: Int?
    }

    /// An index.
    struct Index {
        let name: String
        let isUnique: Bool
        /// Whether it is a partial index.
        let isPartial: Bool
        /// Whether it is the index of the primary key.
        let isOfKey: Bool
        let parts: [Part]

        /// A column of an index.
        struct Part {
            /// The position of the column in the table; `nil` for an expression.
            let column: Int?
            let isDescending: Bool
            let collation: String
        }
    }

    /// A foreign key.
    struct ForeignKey {
        let table: String
        /// The referencing columns, in order.
        let columns: [String]
        /// The referenced columns; empty for the key of the table.
        let targets: [String]
        /// The action of `ON DELETE`.
        let rule: String
    }

    /// A CHECK constraint.
    struct Check {
        /// The declared name, if there is one.
        let name: String?
        let tokens: [SQLToken]
    }

    /// Returns the position of a column: the one with this name, or the first one whose name
    /// differs only in the case of ASCII letters.
    func column(named name: String) -> Int? {
        columns.firstIndex { $0.name == name }
            ?? columns.firstIndex { SQLText.isSameName($0.name, name) }
    }

    /// The type affinity of a column: see "Datatypes In SQLite", section 3.1.
    func affinity(of column: Int) -> Affinity { Affinity(declaredType: columns[column].type) }
}

/// The conversion that SQLite applies to the values of a column.
enum Affinity {
    case text, numeric, integer, real, none

    /// Returns the affinity of a declared type.
    init(declaredType: String) {
        let type = declaredType.uppercased()
        func contains(_ words: String...) -> Bool { words.contains { type.contains($0) } }
        if contains("INT") {
            self = .integer
        } else if contains("CHAR", "CLOB", "TEXT") {
            self = .text
        } else if type.isEmpty || contains("BLOB") || type == "ANY" {
            self = .none
        } else if contains("REAL", "FLOA", "DOUB") {
            self = .real
        } else {
            self = .numeric
        }
    }
}
