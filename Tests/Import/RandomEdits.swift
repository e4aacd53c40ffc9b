import Foundation

/// Random numbers with a seed (S. Vigna, splitmix64, public domain).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

/// A database of random tables, which changes at random.
struct RandomDatabase {
    private var random: SplitMix
    private var tables: [String: [String]] = [:]
    private var count = 0

    init(seed: UInt64) { random = SplitMix(state: seed) }

    /// Returns statements that make some tables, or change those that are there.
    mutating func statements(_ number: Int) -> [String] { (0..<number).map { _ in statement() } }

    private mutating func statement() -> String {
        count += 1
        guard let table = tables.keys.sorted().randomElement(using: &random) else {
            return newTable()
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3: return newTable()
        case 3..<7: return newColumn(of: table)
        case 7:
            let columns = (tables[table] ?? []).shuffled(using: &random).prefix(2)
            guard !columns.isEmpty else { return newTable() }
            let unique = Bool.random(using: &random) ? "UNIQUE " : ""
            return
                "CREATE \(unique)INDEX i\(count) ON \(table) (\(columns.joined(separator: ", ")))"
        case 8:
            guard let column = tables[table]?.popLast() else { return newTable() }
            // A column with an index or a foreign key cannot be dropped; the statement then fails.
            return "ALTER TABLE \(table) DROP COLUMN \(column)"
        default:
            let values = (0..<3).map { "(\(count * 10 + $0))" }.joined(separator: ", ")
            return "INSERT INTO \(table) (id) VALUES \(values)"
        }
    }

    private mutating func newTable() -> String {
        let name = "table\(count)s"
        var columns = ["id INTEGER PRIMARY KEY"]
        var names: [String] = []
        for index in 0..<Int.random(in: 1...4, using: &random) {
            let column = column("c\(count)x\(index)")
            names.append(column.name)
            columns.append(column.definition)
        }
        tables[name] = names
        return "CREATE TABLE \(name) (\(columns.joined(separator: ", ")))"
    }

    private mutating func newColumn(of table: String) -> String {
        let column = column("c\(count)")
        tables[table]?.append(column.name)
        return "ALTER TABLE \(table) ADD COLUMN \(column.definition)"
    }

    private mutating func column(_ name: String) -> (name: String, definition: String) {
        if let target = tables.keys.sorted().randomElement(using: &random),
            Int.random(in: 0..<3, using: &random) == 0
        {
            return ("\(name)_id", "\(name)_id INTEGER REFERENCES \(target)")
        }
        let types = [
            "INTEGER", "TEXT", "REAL", "BLOB", "BOOLEAN DEFAULT 1", "DATETIME", "DATE",
            "INTEGER CHECK (\(name) > 3)", "REAL CHECK (\(name) > 0.5)", "NUMERIC(10,2)", "STRING",
            "TEXT CHECK (length(\(name)) < 9)", "TEXT DEFAULT 'x: # y'",
        ]
        let type = types.randomElement(using: &random) ?? "TEXT"
        return (name, "\(name) \(type)")
    }
}

/// What a person does to the text of schemas.
struct RandomEditor {
    private var random: SplitMix

    init(seed: UInt64) { random = SplitMix(state: seed) }

    /// Returns schemas after random edits.
    mutating func edited(_ schemas: [String: String]) -> [String: String] {
        var schemas = schemas
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            let paths = schemas.keys.filter { $0 != "repositories.yaml" }.sorted()
            guard let path = paths.randomElement(using: &random), let text = schemas[path] else {
                continue
            }
            switch Int.random(in: 0..<10, using: &random) {
            case 0: renameEntity(in: &schemas)
            case 1: join(path, with: paths.randomElement(using: &random) ?? path, &schemas)
            case 2: schemas[path] = renamingField(text, in: schemas)
            default: schemas[path] = editing(text)
            }
        }
        for path in schemas.keys.sorted() { schemas[path] = finishing(schemas[path] ?? "") }
        return schemas
    }

    /// Edits single lines.
    private mutating func editing(_ text: String) -> String {
        var lines = text.components(separatedBy: "\n")
        let index = Int.random(in: 0..<lines.count, using: &random)
        switch Int.random(in: 0..<7, using: &random) {
        case 0: lines.insert("# a comment: { of: a person }", at: index)
        case 1: lines.insert("   # - a comment", at: index)
        case 2: lines.insert("", at: index)
        case 3:
            lines = lines.map { $0.isEmpty || $0.hasPrefix("#") ? $0 : $0 + "  # kept \(index)" }
        case 4: lines = lines.map { $0.hasPrefix("  ") ? "   " + $0 : $0 }
        case 5:
            // The fields in another order.
            guard let start = lines.firstIndex(where: { $0.hasPrefix("fields:") }) else { break }
            let end = lines[(start + 1)...].firstIndex { !$0.hasPrefix("  ") } ?? lines.count
            lines[(start + 1)..<end].shuffle(using: &random)
        default:
            guard lines[index].hasPrefix("  "), !lines[index].contains("{"),
                let colon = lines[index].firstIndex(of: ":"), !lines[index].contains("#")
            else { break }
            let margin = String(lines[index].prefix { $0 == " " })
            let type = lines[index][lines[index].index(after: colon)...]
            lines[index] = String(lines[index][...colon])
            lines.insert("\(margin)    doc: |\n\(margin)      Two lines.\n\n", at: index + 1)
            lines.insert("\(margin)    type:\(type)", at: index + 1)
        }
        return lines.joined(separator: "\n")
    }

    /// Gives an entity another name, and states its table.
    private mutating func renameEntity(in schemas: inout [String: String]) {
        let names = schemas.values.flatMap { $0.components(separatedBy: "\n") }
            .filter { $0.hasPrefix("entity: Table") }.compactMap {
                $0.dropFirst("entity: ".count).split(separator: " ").first.map(String.init)
            }.sorted()
        guard let name = names.randomElement(using: &random) else { return }
        for (path, text) in schemas {
            let line = "entity: \(name)"
            let table = "table: \(name.lowercased())s"
            schemas[path] = replacing(
                name, by: "Renamed" + name,
                in: text.replacingOccurrences(of: line + "\n", with: "\(line)\n\(table)\n"))
        }
    }

    /// Gives a field another name, and states its column.
    private mutating func renamingField(_ text: String, in schemas: [String: String]) -> String {
        var lines = text.components(separatedBy: "\n")
        let all = schemas.values.joined(separator: "\n")
        let candidates = lines.indices.filter { index in
            guard let match = lines[index].wholeMatch(of: /\s+(c\w+): \w+\??/) else { return false }
            return Self.words(of: all).count { $0 == match.1 } == 1
        }
        guard let index = candidates.randomElement(using: &random),
            let match = lines[index].wholeMatch(of: /(\s+)(c\w+): (\w+\??)/),
            !match.3.hasPrefix("Table"),
            !match.3.hasPrefix("Renamed")
        else { return text }
        lines[index] = "\(match.1)renamed\(match.2): { type: \(match.3), column: \(match.2) }"
        return lines.joined(separator: "\n")
    }

    /// Moves the documents of a file into another one.
    private mutating func join(
        _ path: String, with other: String, _ schemas: inout [String: String]
    ) {
        guard path != other, let first = schemas[path],
            let second = schemas.removeValue(forKey: other)
        else { return }
        schemas[path] = first + (first.hasSuffix("\n") ? "" : "\n") + "---\n" + second
    }

    /// Changes line breaks and the end of a file.
    private mutating func finishing(_ text: String) -> String {
        var text = text
        // Without its line break, a text after `|` has another value.
        if Int.random(in: 0..<4, using: &random) == 0, !text.contains("doc: |") {
            while text.hasSuffix("\n") { text.removeLast() }
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            text = text.components(separatedBy: "\n").joined(separator: "\r\n")
        }
        return text
    }

    private func replacing(_ word: String, by other: String, in text: String) -> String {
        text.replacing(/\w+/) { $0.output == word ? other : String($0.output) }
    }

    private static func words(of text: String) -> [Substring] {
        text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    }
}
