internal import RepositorySchema

/// The key that names what records of another database become.
extension KeyTable {
    /// `from` of an entity.
    static let entitySource = Key(
        "from",
        .keys(
            KeyTable(
                owner: "'from' of an entity",
                keys: sourceKeys("class") + [
                    Key(
                        "namespace", .text,
                        "the UUID of the namespace in which keys of objects become UUIDs")
                ], isNeverEmpty: true)),
        "the class that the records are taken from in the files of another database")

    /// `from` of a field or an id.
    static let fieldSource = Key(
        "from",
        .keys(
            KeyTable(
                owner: "'from' of a field", keys: sourceKeys("property"),
                misplaced: ["namespace": "'namespace' belongs to 'from' of the entity"],
                isNeverEmpty: true)),
        "the property that the values are taken from in the files of another database")

    /// `from` of a case of an enum.
    static let caseSource = Key(
        "from",
        .keys(
            KeyTable(owner: "'from' of a case", keys: sourceKeys("raw value"), isNeverEmpty: true)),
        "the raw value of the case in the files of another database")

    private static func sourceKeys(_ what: String) -> [Key] {
        [
            Key(SourceKind.realm.rawValue, .text, "the \(what) in a Realm file"),
            Key(
                SourceKind.coredata.rawValue, .text,
                "the \(what) in a store of Core Data or SwiftData"),
        ]
    }
}
