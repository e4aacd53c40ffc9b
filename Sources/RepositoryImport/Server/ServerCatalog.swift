/// The tables and views of one schema of a PostgreSQL database, with the types of their columns.
struct ServerCatalog {
    /// A table or view with the types of its columns.
    struct Relation {
        var shape: TableShape
        var types: [TypeGuess] = []
    }

    /// The relations, ordered by the bytes of their names.
    private(set) var relations: [Relation] = []

    /// The number of values in a row of a query.
    private static let width = 14

    /// Reads the catalog.
    init(_ psql: PsqlProgram) throws(ImportProblem) {
        let values = try psql.values(Self.script)
        var rows: [[String]] = []
        for start in stride(from: 0, to: values.count - Self.width + 1, by: Self.width) {
            rows.append(Array(values[start..<start + Self.width]))
        }
        for row in rows where row[0] == "relation" { addRelation(row) }
        relations.sort { $0.shape.name.utf8.lexicographicallyPrecedes($1.shape.name.utf8) }
        for row in rows {
            guard let place = relations.firstIndex(where: { $0.shape.name == row[1] }) else {
                continue
            }
            switch row[0] {
            case "column": addColumn(row, to: place)
            case "index": addIndex(row, to: place)
            case "reference": addReference(row, to: place)
            case "check":
                relations[place].shape.checks.append(
                    TableShape.Check(name: row[2], tokens: ServerExpression(row[3]).tokens))
            case "trigger": relations[place].shape.triggers.append(row[2])
            default: break
            }
        }
    }

    private mutating func addRelation(_ row: [String]) {
        let kind: TableShape.Kind =
            switch row[2] {
            case "r", "p": row[3] == "t" ? .other("is a partition of another table") : .table
            case "v", "m": .view
            default: .other("is a table of another server")
            }
        var shape = TableShape(name: row[1], kind: kind)
        shape.comment = row[4]
        relations.append(Relation(shape: shape))
    }

    /// Adds a column. A number that a sequence gives to the key is no default of the column.
    private mutating func addColumn(_ row: [String], to place: Int) {
        let position = relations[place].shape.columns.count
        let isKey = row[11] == "t"
        let isCounted = row[10] == "t"
        if isKey, isCounted {
            relations[place].shape.isAutoincrement = true
            relations[place].shape.keyIsRowNumber = true
        }
        let isMade = row[9] == "s" || row[9] == "v" || (row[9] == "a" && !isKey)
        let value = row[8].isEmpty || (isKey && isCounted) ? nil : row[8]
        let labels = row[13].isEmpty ? [] : row[13].split(separator: "\u{1F}").map(String.init)
        var column = TableShape.Column(
            name: row[2], type: row[3], isNotNull: row[7] == "t",
            defaultValue: isMade ? nil : value.map { ServerExpression($0).defaultText },
            isGenerated: isMade, isHidden: false)
        column.comment = row[12]
        column.labels = labels
        column.mostCharacters =
            ["varchar", "bpchar"].contains(row[4])
            ? row[3].split { $0 == "(" || $0 == ")" }.dropFirst().first.flatMap { Int($0) } : nil
        relations[place].shape.columns.append(column)
        relations[place].types.append(
            TypeGuess(
                declared: row[3], name: row[4], scale: Int(row[6]), isEnum: row[5] == "e",
                collation: row[9].hasSuffix("!") ? String(row[9].dropLast()) : ""))
        if isKey { relations[place].shape.key.append(position) }
    }

    /// Adds a column of an index. The columns of an index follow each other.
    private mutating func addIndex(_ row: [String], to place: Int) {
        let shape = relations[place].shape
        let part = TableShape.Index.Part(
            column: row[6].isEmpty ? nil : shape.columns.firstIndex { $0.name == row[6] },
            isDescending: row[7] == "t", collation: "BINARY")
        let earlier = shape.indexes.last?.name == row[2] ? shape.indexes.last : nil
        if earlier != nil { relations[place].shape.indexes.removeLast() }
        relations[place].shape.indexes.append(
            TableShape.Index(
                name: row[2], isUnique: row[3] == "t", isPartial: row[5] == "t",
                isOfKey: row[4] == "t", parts: (earlier?.parts ?? []) + [part]))
        // The order of the key is that of its index.
        if row[4] == "t" {
            relations[place].shape.key =
                relations[place].shape.indexes.last?.parts.compactMap(\.column) ?? []
        }
    }

    /// Adds a column of a foreign key. The columns of a key follow each other.
    private mutating func addReference(_ row: [String], to place: Int) {
        let keys = relations[place].shape.foreignKeys
        let isFirst = row[7] == "1"
        let earlier = isFirst ? nil : keys.last
        if !isFirst { relations[place].shape.foreignKeys.removeLast() }
        let rules = [
            "a": "NO ACTION", "r": "RESTRICT", "c": "CASCADE", "n": "SET NULL", "d": "SET DEFAULT",
        ]
        relations[place].shape.foreignKeys.append(
            TableShape.ForeignKey(
                table: row[3], columns: (earlier?.columns ?? []) + [row[4]],
                targets: (earlier?.targets ?? []) + [row[5]], rule: rules[row[6]] ?? row[6]))
    }
}
