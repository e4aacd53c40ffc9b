internal import RepositoryGeneratorCore

/// Defaults and CHECK constraints.
extension SchemaBuilder {
    /// Adds defaults, and the rules that simple CHECK constraints are, to the fields of an entity.
    func addRules(to entity: inout EntityDraft) {
        for index in entity.fields.indices {
            addDefault(to: &entity.fields[index], of: entity)
            addWords(to: &entity.fields[index], of: entity)
        }
        for (position, check) in entity.table.shape.checks.enumerated() {
            add(check, at: position, to: &entity)
        }
        for index in entity.fields.indices { addChoices(to: &entity.fields[index], of: entity) }
    }

    private func addDefault(to field: inout FieldDraft, of entity: EntityDraft) {
        let table = entity.table.shape
        guard let text = table.columns[field.column].defaultValue else { return }
        let tokens = SQLToken.tokens(of: text)
        let subject = "default \(SQLText.shown(sql: tokens))"
        if let reason = refusals[.option(table.name, field.column, "default")] {
            field.notes.append(Note(subject: subject, text: reason))
            return
        }
        let isKey = entity.id.contains { entity.fields[$0].column == field.column }
        let isGenerated = entity.id.count == 1 && SQLDefault(tokens).isNewUUID
        guard !isKey || isGenerated, case .plain(let type) = field.type else {
            field.notes.append(Note(subject: subject, text: "only the database knows it"))
            return
        }
        switch SQLDefault(tokens).value(as: type) {
        case .null: return
        case .literal(let literal): field.options.append(("default", literal))
        case .none:
            field.notes.append(
                Note(subject: subject, text: "the schema language has no such default"))
        }
    }

    /// Adds the length that a declared type allows, and what the database says about a column.
    private func addWords(to field: inout FieldDraft, of entity: EntityDraft) {
        let table = entity.table.shape
        let column = table.columns[field.column]
        func add(_ key: String, _ value: String) {
            if let reason = refusals[.option(table.name, field.column, key)] {
                field.notes.append(Note(subject: key, text: reason))
            } else {
                field.options.append((key, value))
            }
        }
        if let most = column.mostCharacters, case .plain(.string) = field.type, most > 0 {
            add("maxLength", "\(most)")
        }
        if column.comment.isOneLine { add("doc", YAMLText.quoted(column.comment)) }
    }

    /// Adds the rules of a CHECK constraint, or a remark.
    private func add(
        _ check: TableShape.Check, at position: Int, to entity: inout EntityDraft
    ) {
        let table = entity.table.shape
        let subject = "CHECK (\(SQLText.shown(sql: check.tokens)))"
        func note(_ text: String) -> Note { Note(subject: subject, text: text) }
        guard let rules = CheckReader.rules(of: check.tokens) else {
            entity.notes.append(note("cannot be described; the database checks it"))
            return
        }
        for rule in rules {
            guard let column = table.column(named: rule.column),
                let index = entity.field(ofColumn: column)
            else {
                entity.notes.append(note("is about a column that is not described"))
                return
            }
            let field = entity.fields[index]
            guard let option = rule.option(for: field) else {
                if !rule.needsNothing(for: field) {
                    entity.notes.append(note("cannot be described; the database checks it"))
                }
                continue
            }
            if let reason = refusals[.option(table.name, column, option.key)] {
                entity.fields[index].notes.append(note(reason))
            } else if option.key.isEmpty {
                let name = ImportedName.unique(
                    check.name.map(ImportedName.field) ?? "\(field.name)Check"
                ) { name in entity.checks.contains { $0.name == name } }
                if let reason = refusals[.check(table.name, position)] {
                    entity.notes.append(note(reason))
                } else {
                    entity.checks.append(
                        CheckDraft(position: position, name: name, condition: option.value))
                }
            } else if entity.fields[index].options.contains(where: { $0.key == option.key }) {
                entity.notes.append(note("another constraint gives '\(option.key)'"))
            } else {
                entity.fields[index].options.append(option)
            }
        }
    }

    /// Offers an enum for a small set of texts.
    private func addChoices(to field: inout FieldDraft, of entity: EntityDraft) {
        guard case .plain(.string) = field.type else { return }
        let table = entity.table.shape
        let column = field.column
        let declared = table.checks.flatMap { CheckReader.rules(of: $0.tokens) ?? [] }
            .filter { table.column(named: $0.column) == column }.compactMap(\.choices).first
        let facts = entity.table.facts[field.column]
        let isSmall = facts.choices.count > 1 && facts.texts >= 10 * facts.choices.count
        let labels = table.columns[field.column].labels
        guard
            let choices = (labels.isEmpty ? declared : labels)
                ?? (isSmall ? facts.choices.keys.sorted() : nil),
            choices.count <= 32, choices.allSatisfy(Self.isCaseName)
        else { return }
        let name = entity.name + field.name.prefix(1).uppercased() + field.name.dropFirst()
        let cases = choices.map { choice in
            let name = ImportedName.field(choice)
            return name == choice ? choice : "\(name): \(YAMLText.name(choice))"
        }
        let why =
            !labels.isEmpty
            ? "the labels of its type"
            : declared != nil
                ? "a CHECK allows only these" : Count.text(choices.count, "different text")
        field.notes.append(
            Note(
                subject: "an enum could describe it",
                text: "{ enum: \(name), type: String, cases: \(YAMLText.list(cases)) }, \(why)"
            ))
    }

    /// Returns whether a text can be the case of an enum, so that it is not text that people write.
    private static func isCaseName(_ text: String) -> Bool {
        text.first?.isLetter == true && text.utf8.count <= 32
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
                    || (0x61...0x7A).contains($0) || [0x20, 0x2D, 0x2E, 0x5F].contains($0)
            }
    }
}
