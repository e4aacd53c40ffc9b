/// What the declared type of a column says about its values, besides the affinity.
struct DeclaredType {
    /// The meaning of the name of a type.
    enum Meaning: Equatable {
        case bool
        /// A date with a time.
        case date
        /// A date without a time.
        case day
        case decimal(scale: Int?)
        case uuid
        case other
    }

    /// The declared type as it is written.
    let text: String
    let meaning: Meaning

    init(_ text: String) {
        self.text = text
        let upper = text.uppercased()
        let word = String(
            upper.prefix { ("A"..."Z").contains($0) || ("0"..."9").contains($0) || $0 == "_" })
        let numbers = upper.split { !("0"..."9").contains($0) }.compactMap { Int($0) }
        switch word {
        case "BOOL", "BOOLEAN", "LOGICAL", "BIT": meaning = .bool
        case "TINYINT" where numbers == [1]: meaning = .bool
        case "DATETIME", "DATETIME2", "TIMESTAMP", "TIMESTAMPTZ", "SMALLDATETIME": meaning = .date
        case "DATE": meaning = .day
        case "DECIMAL", "NUMERIC", "DEC", "NUMBER", "MONEY", "CURRENCY", "SMALLMONEY":
            let scale = upper.contains(",") ? numbers.last : numbers.isEmpty ? nil : 0
            meaning = .decimal(scale: scale.map { min($0, 12) })
        case "UUID", "GUID", "UNIQUEIDENTIFIER": meaning = .uuid
        default: meaning = .other
        }
    }

    /// The declared type for reports.
    var shown: String { text.isEmpty ? "no type" : SQLText.shown(text) }
}
