internal import CoreDataFormat

/// The stores of Core Data and SwiftData. Every object is read, so that what is damaged is found.
struct CoreDataFileKind: FileKind {
    func recognizes(_ path: String, start: [UInt8], hasKey: Bool) -> Bool {
        start.starts(with: "SQLite format 3\0".utf8)
    }

    func inspect(_ path: String, key: [UInt8]?) throws(ImportProblem) -> InspectedFile {
        do throws(CoreDataFileError) {
            let store = try CoreDataStore(path: path)
            let report = try store.report()
            var tables: [InspectedFile.Table] = []
            for entity in store.entities {
                let objects = try store.objects(entity.name)
                while try objects.next() != nil {}
                let indexed = Set(entity.indexes.compactMap(\.fields.first?.name))
                tables.append(
                    InspectedFile.Table(
                        name: entity.name,
                        kind: entity.isAbstract ? "abstract object" : "object",
                        count: report.counts[entity.name] ?? 0,
                        primaryKey: entity.unique.first { $0.count == 1 }?.first,
                        properties: entity.sortedProperties.map {
                            InspectedFile.Property(
                                name: $0.name, type: $0.typeText,
                                isIndexed: indexed.contains($0.name))
                        }))
            }
            let versions = store.header.versionIdentifiers.filter { !$0.isEmpty }
            var notes = store.header.frameworkVersion.map { ["written by framework \($0)"] } ?? []
            for entity in store.entities {
                if let parent = entity.parent {
                    notes.append("\(entity.name) inherits from \(parent)")
                }
            }
            notes += report.notes + report.oddRows + report.disagreements
            for (name, count) in report.danglingReferences.sorted(by: { $0.key < $1.key }) {
                notes.append("\(name): \(count) to objects that do not exist")
            }
            return InspectedFile(
                path: path, kind: "Core Data", format: nil,
                size: store.header.sizes.values.reduce(0, +), isEncrypted: false,
                schemaVersion: versions.isEmpty ? nil : versions.joined(separator: ", "),
                tables: tables, ownTables: report.skippedTables.keys.sorted(),
                notes: notes,
                command: "repository-generator import coredata:\(path)")
        } catch {
            throw ImportProblem(coreData: path, error)
        }
    }
}

extension ModelProperty {
    /// The type in the words of Core Data.
    fileprivate var typeText: String {
        var text: String
        switch kind {
        case .relationship:
            text = "→ \(destination ?? "?")"
            if isToMany { text = "\(isOrdered ? "ordered " : "")\(text) (many)" }
        case .fetched, .expression: text = kind.rawValue
        case .derived: text = "\(type.name), derived"
        case .composite:
            text = "{ \(elements.map { "\($0.name): \($0.typeText)" }.joined(separator: ", ")) }"
        case .attribute: text = type.name + (isExternal ? ", external" : "")
        }
        if isTransient { text += ", transient" }
        return text + (isOptional && kind != .relationship ? "?" : "")
    }
}
