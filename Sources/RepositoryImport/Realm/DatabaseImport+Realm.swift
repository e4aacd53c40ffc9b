internal import RealmFormat

extension DatabaseImport {
    /// Reads a Realm file.
    ///
    /// Every object is read once. The file and those beside it are not changed. The same file gives
    /// the same schemas and the same report.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - key: the key of 64 bytes, if the file is encrypted.
    /// - Throws: ``ImportProblem`` if the file cannot be read.
    package init(realm path: String, key: [UInt8]? = nil) throws(ImportProblem) {
        let file = try ScannedRealm(path, key: key)
        let accepted = try SchemaChecker(RealmSchemaBuilder(file: file)) { draft in
            ObjectSchemaWriter(draft: draft, source: file.source).schemas()
        }.accepted(path: path)
        self.init(accepted.schemas, accepted.draft.lines(of: file), accepted.draft.entityCount)
    }
}

extension ObjectDraft {
    /// The lines of the report.
    fileprivate func lines(of file: ScannedRealm) -> [String] {
        let classes = file.database.classes
        let objects = classes.reduce(0) { $0 + (file.counts[$1.key] ?? 0) }
        let version = file.database.schemaVersion.map { ", schema version \($0)" } ?? ""
        var lines = [
            "\(SQLText.shown(file.source)): Realm, file format \(file.database.format)\(version), "
                + Count.text(classes.count, "class")
                + ", \(Count.text(objects, "object"))"
        ]
        lines += typeLines
        if file.database.historyType == 3 || file.database.historyType == 4 {
            lines.append(
                "The file was synchronized: what the server has not received is not in its objects."
            )
        }
        if !leftOut.isEmpty { lines.append("Not described:") }
        return lines + leftOut.map { "  \($0.line)" }
    }
}
