extension HostileIDs {
    /// Ids that SQL, a shell or a file format would interpret.
    static let sql = [
        "'", "''", "'''", "\"", "\"\"", "`", "``", "[x]", "';", "'; DROP TABLE notes; --",
        "Robert'); DROP TABLE notes;--", "' OR '1'='1", "\" OR 1=1 --", "1 OR 1=1", "--", "-- a",
        "/*", "*/", "/* a */", ";", "?", "?1", ":a", "@a", "$a", "$1", "#", "NULL", "null", "nil",
        "true", "false", "TRUE", "x'41'", "X'41'", "CAST(1 AS TEXT)", "a' || 'b", "a%", "a_", "_",
        "\\'", "\\\"", "{}", "[]", "\"a\"", "{\"id\":\"a\"}", "<a/>", "<?xml?>", "]]>", "<!--",
        "a,b",
        "a, b", ",", "a|b", "a;b", "a&b", "$HOME", "${HOME}", "$(ls)", "`ls`", "!", "!!", "* ",
        "key: value", "- a", "%s", "%n", "%@", "{0}", "\\", "\\\\", "\\n", "\\r\\n",
    ]

    /// Names of tables, columns and internal files and keys of stores.
    static let names = [
        "notes", "notes/a", "notes.a", "notes_a", "notes_item_a", "note", "counters", "counters/1",
        "Items", "items", "table", "index", "id", "data", "rowid", "oid", "_rowid_", "item",
        "item_",
        "item_a", "_item_", "_item_a", "item_item_a", "database_", "database_notes_item_a",
        "database_Items_item_a", "database_Items_item_database_Items_item_a", "sqlite_master",
        "sqlite_sequence", "sqlite_autoindex_notes_1", "pragma", "main", "temp", "schema",
        ".schema",
        "__schema__", "_schema", "schema.json", "meta", "_meta", "fingerprint", "log", "journal",
        "wal", "notes-wal", "notes.sqlite", "lock", ".lock", "index_notes", "indexes", "records",
        "record", "keys", "names", "tmp", ".tmp", "a.tmp", "a.tmp.1", "a~", "#a#", ".a.swp",
        "a.partial", "intent", "blobs", "unique", "version", "Conformance", "default", "",
    ]

    /// Ids that look like the encoding of another id.
    static let encodings = [
        "61", "YQ==", "YQ", "a.id", "item_a.json", "item_a", "item_%61", "item_%61.json", "%61",
        "A.json", "a.xml", "a.plist", "a.cbor", "h-61", "sha256-a", "_61", "=61", "a_", "a__b",
        "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb",
        "CA978112CA1BBDCAFAC231B39A23DC4DA786EFF8147C4E72B9807785AFEE48BB",
        "0F8FAD5B-D9CB-469F-A165-70867728950E", "0f8fad5b-d9cb-469f-a165-70867728950e",
        "0F8FAD5B-D9CB-469F-A165-70867728950e", "0F8FAD5BD9CB469FA16570867728950E",
        "{0F8FAD5B-D9CB-469F-A165-70867728950E}", "%5F%5F", "a%2Cb", "a%252Cb", "a%2cb", "MFRA====",
        "C3A9", "caf%C3%A9", "caf%c3%a9", "cafe%CC%81", "caf\\xe9", "café", "cafe\u{301}",
    ]

    /// Whitespace characters, alone and at either end of an id.
    static let spaces: [String] =
        [
            0x20, 0x9, 0xA, 0xD, 0xA0, 0x1680, 0x2000, 0x2003, 0x2009, 0x202F, 0x205F, 0x3000,
        ].compactMap { UnicodeScalar($0 as UInt32) }.flatMap { ["\($0)", "s\($0)", "\($0)s"] }
        + ["\r\n", "\n\n", "s\r\ns", "s\ns", "s\rs", "  ", "s  s", "s s"]

    /// ASCII punctuation, alone, doubled and inside a word.
    static let punctuation: [String] = (0x21...0x7E).compactMap { UnicodeScalar($0) }
        .filter { !$0.properties.isAlphabetic && !("0"..."9").contains($0) }
        .flatMap { ["\($0)", "\($0)\($0)", "p\($0)q"] }

    /// Ids that a store with dynamic typing would convert to numbers, dates or Booleans.
    static let numbers = [
        "0", "00", "-0", "+0", "1", "01", "1.0", "1.", ".1", "1e0", "1E0", "1e3", "0x1", "0b1",
        "1_000", "1,000", "NaN", "nan", "Infinity", "-1", "9007199254740993",
        "9223372036854775808", "1e400", "2024-02-29", "12:00", "yes", "no", "on", "off", "~", "١",
    ]

    /// Words in several scripts.
    static let languages = [
        "Привет", "привет", "Ελληνικά", "עברית", "العربية", "हिन्दी", "ไทย", "日本語", "日本语", "한국어",
        "中文", "ქართული", "Ⴀ", "ა", "𐐀", "𐐨", "Ǆ", "ǅ", "ǆ", "Å", "Å",
    ]
}
