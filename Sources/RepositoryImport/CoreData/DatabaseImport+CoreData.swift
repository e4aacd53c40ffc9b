internal import CoreDataFormat

extension DatabaseImport {
    /// Reads a store of Core Data or SwiftData.
    ///
    /// Every object is read once, from a copy. The same store gives the same schemas and the same
    /// report.
    ///
    /// - Parameters:
    ///   - path: the path of the store.
    ///   - model: the path of the model of the app, for a store without one.
    /// - Throws: ``ImportProblem`` if the store cannot be read.
    package init(coreData path: String, model: String? = nil) throws(ImportProblem) {
        let file = try ScannedCoreData(path, model: model)
        let accepted = try SchemaChecker(CoreDataSchemaBuilder(file: file)) { draft in
            ObjectSchemaWriter(draft: draft, source: file.source).schemas()
        }.accepted(path: path)
        let draft = accepted.draft
        self.init(
            accepted.schemas, file.headLines + draft.typeLines + file.checkLines(draft),
            draft.entityCount)
    }
}

extension ScannedCoreData {
    /// What the store is.
    fileprivate var headLines: [String] {
        let header = store.header
        let framework = header.frameworkVersion.map { ", framework \($0)" } ?? ""
        let log = header.sizes["-wal"].map { size in
            ", with its -wal of \(Count.text(size, "byte")), \(Count.text(header.logFrames, "frame"))"
        }
        let properties = store.entities.reduce(0) { $0 + $1.properties.values.count { $0.isOwn } }
        return [
            "\(SQLText.shown(source)): store of Core Data \(header.identity)\(framework)",
            "  read from a copy\(log ?? "")",
            "  model: \(store.model.source), \(Count.text(store.entities.count, "entity")), "
                + "\(Count.text(properties, "property")); "
                + "every table and column is accounted for",
        ]
    }

    /// What is not described, and what is wrong in the store.
    fileprivate func checkLines(_ draft: ObjectDraft) -> [String] {
        var lines: [String] = []
        if !draft.leftOut.isEmpty { lines.append("Not described:") }
        lines += draft.leftOut.map { "  \($0.line)" }
        let objects = report.counts.values.reduce(0, +)
        let dangling = report.danglingReferences.values.reduce(0, +)
        let missing = facts.values.reduce(0) { sum, entity in
            entity.values.reduce(sum) { $0 + $1.missingFileCount }
        }
        lines.append(
            "Read: \(Count.text(objects, "object")); \(dangling) dangling references, "
                + "\(missing) external files missing")
        for (name, count) in report.danglingReferences.sorted(by: { $0.key < $1.key }) {
            lines.append("  \(name): \(count) to objects that do not exist; they become null")
        }
        lines += report.disagreements.map { "  one to one: \($0)" }
        lines += report.oddRows.map { "  not read: \($0)" }
        lines += report.notes.map { "  \($0)" }
        if report.skippedTables.keys.contains(where: { $0.hasPrefix("ANSCK") }) {
            lines.append(
                "The store is mirrored to CloudKit: what has not been downloaded is not in it.")
        }
        return lines
    }
}
