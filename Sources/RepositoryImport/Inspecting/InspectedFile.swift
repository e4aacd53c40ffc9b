/// What a database file is and has, without a schema of this package.
package struct InspectedFile: Equatable, Encodable {
    /// A table or class.
    package struct Table: Equatable, Encodable {
        package let name: String
        /// What its objects are, for example `object` or `embedded`.
        package let kind: String
        /// The number of its rows or objects.
        package let count: Int
        package let primaryKey: String?
        package let properties: [Property]

        package init(
            name: String, kind: String, count: Int, primaryKey: String?, properties: [Property]
        ) {
            (self.name, self.kind, self.count) = (name, kind, count)
            (self.primaryKey, self.properties) = (primaryKey, properties)
        }
    }

    /// A column or property.
    package struct Property: Equatable, Encodable {
        package let name: String
        /// The type in the words of the program that wrote the file.
        package let type: String
        package let isIndexed: Bool

        package init(name: String, type: String, isIndexed: Bool) {
            (self.name, self.type, self.isIndexed) = (name, type, isIndexed)
        }
    }

    /// The path of the file.
    package let path: String
    /// The program that wrote it, for example `Realm`.
    package let kind: String
    /// The version of the file format.
    package let format: Int?
    /// The size in bytes.
    package let size: Int
    package let isEncrypted: Bool
    /// The version that the app gave to its schema.
    package let schemaVersion: String?
    package let tables: [Table]
    /// The tables that are not the app's.
    package let ownTables: [String]
    /// What is unusual, as sentences without their full stops.
    package let notes: [String]
    /// The command to go on with.
    package let command: String?

    package init(
        path: String, kind: String, format: Int?, size: Int, isEncrypted: Bool,
        schemaVersion: String?, tables: [Table], ownTables: [String], notes: [String],
        command: String?
    ) {
        (self.path, self.kind, self.format, self.size) = (path, kind, format, size)
        (self.isEncrypted, self.schemaVersion, self.tables) = (isEncrypted, schemaVersion, tables)
        (self.ownTables, self.notes, self.command) = (ownTables, notes, command)
    }

    /// The lines for people.
    package var lines: [String] {
        let version = schemaVersion.map { ", schema version \($0)" } ?? ""
        let head =
            "\(SQLText.shown(path)): \(kind)" + (format.map { ", file format \($0)" } ?? "")
            + ", \(Count.text(size, "byte"))" + (isEncrypted ? ", encrypted" : "") + version
        var lines = [head]
        for table in tables {
            lines.append(
                "\(Self.shown(table.name)): \(Count.text(table.count, table.kind))")
            let width = table.properties.map { Self.shown($0.name).count }.max() ?? 0
            for property in table.properties {
                let name = Self.shown(property.name)
                lines.append(
                    "  \(name)\(String(repeating: " ", count: width - name.count))  "
                        + Self.shown(property.type)
                        + (property.name == table.primaryKey
                            ? ", primary key" : property.isIndexed ? ", indexed" : ""))
            }
        }
        if tables.isEmpty { lines.append("No table of an app.") }
        if !ownTables.isEmpty {
            lines.append("Not of the app: " + ownTables.map(Self.shown).joined(separator: ", "))
        }
        lines += notes.map { "Note: \($0)." }
        if let command { lines.append("Next: \(command)") }
        return lines
    }

    /// Returns a text without characters that a terminal obeys.
    private static func shown(_ text: String) -> String {
        text.isOneLine && text.unicodeScalars.allSatisfy { $0.properties.generalCategory.isShown }
            ? text : SQLText.shown(text)
    }
}

extension Unicode.GeneralCategory {
    /// Whether characters of the category are seen where they stand, and change nothing else.
    fileprivate var isShown: Bool {
        switch self {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse,
            .surrogate:
            false
        default: true
        }
    }
}
