internal import RepositorySchemaParser

/// The report of a further import: what was added, and what is not described.
struct MergeReport {
    let merged: MergedSchemas
    /// The name of the database file.
    let source: String
    /// The number of tables.
    let tables: Int

    /// The lines of the report.
    var lines: [String] {
        var lines = ["\(SQLText.shown(source)): \(Count.text(tables, "table"))"]
        for added in merged.additions { lines += self.lines(of: added) }
        let report = ImportReport(draft: merged.draft, source: source, tables: tables)
        for entity in merged.newEntities { lines += report.lines(of: entity) }
        for entity in merged.managed {
            lines.append(
                "\(entity.name): not compared, because the store manages the table "
                    + SQLText.shown(entity.table))
        }
        if merged.additions.contains(where: { !$0.fields.isEmpty }) {
            lines.append(
                "A field that was deleted from a schema on purpose is added by each import.")
        }
        let notes = unwrittenNotes
        if !notes.isEmpty { lines.append("Not described:") }
        return lines + notes.map { "  \($0)" }
    }

    private func lines(of added: EntityAdditions) -> [String] {
        let report = ImportReport(draft: merged.draft, source: source, tables: tables)
        var lines = ["\(added.existing.name) in \(added.existing.path):"]
        for field in added.fields { lines += report.lines(of: field, in: added.entity) }
        let texts = added.blocks(merged.writer).filter { $0.key != "fields" }
        for block in texts {
            lines += block.text.lines.map { line in
                "  \(block.key): \(line.hasPrefix("- ") ? String(line.dropFirst(2)) : line)"
            }
        }
        return lines
    }

    /// The remarks that no comment of the schemas contains.
    private var unwrittenNotes: [String] {
        let files = ([merged.existing.settings].compactMap(\.self) + merged.existing.files)
            .map { String(decoding: $0.bytes, as: UTF8.self) }
        let comments = Set(
            files.flatMap { $0.split(whereSeparator: \.isNewline) }.compactMap(Self.comment))
        // The reason can name a field, which a person may have renamed.
        func isUnwritten(_ note: Note) -> Bool {
            !comments.contains { $0 == note.line || $0.hasPrefix(note.subject + ": ") }
        }
        let newNames = Set(merged.newEntities.map(\.name))
        let ofEntities = merged.draft.entities.filter { !newNames.contains($0.name) }
            .flatMap { entity in
                entity.notes.filter(isUnwritten).map { "\(entity.name): \($0.line)" }
            }
        return ofEntities + merged.draft.leftOut.filter(isUnwritten).map(\.line)
    }

    /// Returns the text of a line that is a comment of an import.
    private static func comment(_ line: Substring) -> String? {
        let text = line.drop { $0 == " " }
        guard text.hasPrefix("# ") else { return nil }
        return String(text.dropFirst(text.hasPrefix("# - ") ? 4 : 2))
    }
}
