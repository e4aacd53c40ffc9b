internal import RealmFormat
internal import RepositoryGeneratorCore
internal import RepositorySchema

/// Builds the types that describe the classes of a Realm file.
struct RealmSchemaBuilder: DraftBuilder {
    let file: ScannedRealm
    var refusals: [SchemaPart: String] = [:]

    func draft() -> ObjectDraft {
        var draft = ObjectDraft(database: "realm")
        var names = TypeNames(refusals: refusals)
        var types: [UInt32: String] = [:]
        var described: [RealmClass] = []
        for table in file.database.classes {
            if let reason = reasonToLeaveOut(table) {
                draft.leftOut.append(
                    Note(subject: "class \(SQLText.shown(table.name))", text: reason))
            } else {
                types[table.key] = names.add(ImportedName.set(table.name), table.tableName)
                described.append(table)
            }
        }
        for table in described {
            let builder = RealmTypeBuilder(
                file: file, table: table, types: types, refusals: refusals)
            draft.types += builder.types(&names)
        }
        for table in file.database.tables where table.isInternal {
            draft.leftOut.append(
                Note(
                    subject: "table \(SQLText.shown(table.tableName))",
                    text: "is no class of the app"))
        }
        addRelations(to: &draft)
        draft.name = names.setName(of: file.source)
        return draft
    }

    private func reasonToLeaveOut(_ table: RealmClass) -> String? {
        if let reason = refusals[.table(table.tableName)] { return reason }
        if table.kind == .asymmetric { return "its objects are sent to a server, and not kept" }
        return table.properties.isEmpty ? "has no properties" : nil
    }

    /// Adds a relation for each reference, at the entity to which it refers.
    private func addRelations(to draft: inout ObjectDraft) {
        let positions = Dictionary(
            draft.types.enumerated().filter { $1.kind == .entity }.map { ($1.name, $0) },
            uniquingKeysWith: { first, _ in first })
        for owner in draft.types where owner.kind == .entity {
            for field in owner.fields {
                guard let position = field.target.flatMap({ positions[$0] }) else { continue }
                let isList = field.from?.hasSuffix("#owner") ?? false
                let list = owner.from?.split(separator: ".").last.map(String.init)
                var name =
                    isList && list.map(Naming.isIdentifier) == true
                    ? ImportedName.field(list ?? "")
                    : Naming.repositoryPropertyName(for: owner.name)
                let siblings = owner.fields.count { $0.target == field.target }
                if siblings > 1, !isList {
                    name += "By" + field.name.prefix(1).uppercased() + field.name.dropFirst()
                }
                draft.types[position].addRelation(
                    name, "\(owner.origin) \(field.column)", to: owner.name, by: field.name,
                    sort: owner.fields.first { $0.from?.hasSuffix("#position") ?? false }?.name,
                    refusals)
            }
        }
    }
}
