/// The indexes of an entity.
extension SchemaBuilder {
    /// Adds the indexes of a table to its fields and to its entity.
    func addIndexes(to entity: inout EntityDraft) {
        let shape = entity.table.shape
        let key = entity.id.map { entity.fields[$0].column }
        var seen: Set<[Int]> = []
        let candidates = shape.indexes.filter { index in
            // Unique indexes come first, because each serves as a plain one over the same columns.
            !index.isOfKey
        }.enumerated().sorted { left, right in
            left.element.isUnique != right.element.isUnique
                ? left.element.isUnique : left.offset < right.offset
        }.map(\.element)
        for index in candidates {
            let subject =
                index.name.hasPrefix("sqlite_autoindex_")
                ? "UNIQUE constraint" : "index \(SQLText.shown(index.name))"
            let columns = index.parts.compactMap(\.column)
            if let reason = reason(against: index, columns, of: entity) {
                entity.notes.append(Note(subject: subject, text: reason))
                continue
            }
            if index.isUnique ? Set(columns) == Set(key) : key.starts(with: columns) { continue }
            if !index.isUnique, isCovered(columns, index, of: entity) { continue }
            guard seen.insert(columns).inserted else { continue }
            add(index, columns, to: &entity)
        }
    }

    /// Returns why an index cannot be described; `nil` if it can.
    private func reason(
        against index: TableShape.Index, _ columns: [Int], of entity: EntityDraft
    ) -> String? {
        if let reason = refusals[.index(entity.table.shape.name, index.name)] { return reason }
        guard columns.count == index.parts.count else {
            return "is over an expression, which cannot be described"
        }
        guard !index.isPartial else { return "its condition is not read" }
        guard columns.allSatisfy({ entity.field(ofColumn: $0) != nil }) else {
            return "is over a column that is not described"
        }
        let other = index.parts.first { $0.collation.uppercased() != "BINARY" }
        guard let other, !index.isUnique, !ignoresCase(index, columns, of: entity) else {
            return nil
        }
        return
            "compares by \(other.collation), so that it does not serve queries, which compare bytes"
    }

    /// Returns whether an index says that a field ignores case: it compares one column of text by
    /// NOCASE, and no other index compares it otherwise.
    private func ignoresCase(
        _ index: TableShape.Index, _ columns: [Int], of entity: EntityDraft
    ) -> Bool {
        guard columns.count == 1, let place = entity.field(ofColumn: columns[0]),
            case .plain(.string) = entity.fields[place].type, !entity.id.contains(place)
        else { return false }
        return entity.table.shape.indexes.allSatisfy { other in
            other.parts.allSatisfy {
                $0.column != columns[0] || $0.collation.uppercased() == "NOCASE"
            }
        }
    }

    /// Returns whether another index of the table begins with the columns of an index.
    private func isCovered(
        _ columns: [Int], _ index: TableShape.Index, of entity: EntityDraft
    ) -> Bool {
        entity.table.shape.indexes.contains { other in
            let others = other.parts.compactMap(\.column)
            guard other.name != index.name, others.count == other.parts.count,
                others.starts(with: columns), !other.isOfKey,
                reason(against: other, others, of: entity) == nil
            else { return false }
            return others.count > columns.count || other.isUnique
        }
    }

    /// Adds an index as a key of its only field, or as an entry of the entity.
    private func add(
        _ index: TableShape.Index, _ columns: [Int], to entity: inout EntityDraft
    ) {
        let shape = entity.table.shape
        let other = index.parts.first { $0.collation.uppercased() != "BINARY" }
        let fields = columns.compactMap { entity.field(ofColumn: $0) }
        if fields.count == 1 {
            let option = index.isUnique ? "unique" : "index"
            if let reason = refusals[.option(shape.name, columns[0], option)] {
                entity.notes.append(
                    Note(subject: "index \(SQLText.shown(index.name))", text: reason))
                return
            }
            if ignoresCase(index, columns, of: entity) {
                // Uniqueness is the owner's, who compares other letters by their case.
                entity.fields[fields[0]].options += [("ignoringCase", "true"), ("index", "true")]
                entity.notes.append(
                    Note(
                        subject: "index \(SQLText.shown(index.name))",
                        text: "compares by NOCASE: it serves searches for ASCII texts"
                            + (index.isUnique ? ", and keeps texts unique in its own way" : "")))
                return
            }
            entity.fields[fields[0]].options.append((option, "true"))
        } else {
            let keys = zip(index.parts, fields).map { part, field in
                (part.isDescending ? "-" : "") + entity.fields[field].name
            }
            entity.indexes.append(
                IndexDraft(name: index.name, keys: keys, isUnique: index.isUnique))
        }
        if let other {
            entity.notes.append(
                Note(
                    subject: "index \(SQLText.shown(index.name))",
                    text: "compares by \(other.collation): the database finds more texts equal"))
        }
    }
}
