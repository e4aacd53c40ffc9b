internal import Foundation

/// A store of Core Data or SwiftData, read from a copy.
///
/// The original is never opened: SQLite would create files next to
/// it, and move its write-ahead log into it.
package final class CoreDataStore: Sendable {
    /// What the store says of itself.
    package struct Header: Sendable {
        /// The identity, which copies share: the host of the URIs of its objects.
        package let identity: String
        /// The number of the version of Core Data that wrote it.
        package let frameworkVersion: Int?
        /// The names that the app gave the version of its model.
        package let versionIdentifiers: [String]
        /// The keys of the metadata. The values may be secrets of the app.
        package let metadataKeys: [String]
        /// Whether the store uses a write-ahead log.
        package let usesLog: Bool
        /// The number of frames of the write-ahead log.
        package let logFrames: Int
        /// The sizes of the files that were copied, by the end of their names.
        package let sizes: [String: Int]
    }

    /// What the store says of itself.
    package let header: Header
    /// The model that the store was written with.
    package let model: StoreModel
    /// Which table and column contains what.
    package let layout: StoreLayout
    /// What is unusual, but does no harm.
    package let notes: [String]

    let database: Database
    let values: ValueReader
    private let copy: StoreCopy

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - path: the path of the database.
    ///   - modelPath: the path of a `.momd`, `.mom`, `.xcdatamodeld` or `.xcdatamodel`, which is used
    ///     if the store contains no model.
    /// - Throws: ``CoreDataFileError`` if the store cannot be read, or if it contains tables or
    ///   columns that the model does not explain.
    package init(path: String, model modelPath: String? = nil) throws(CoreDataFileError) {
        copy = try StoreCopy(of: path)
        database = try Database(path: copy.path)
        let store = try Bookkeeping(database)
        if let size = copy.sizes["-wal"], size > 32, copy.usesLog, database.logFrames == 0 {
            throw CoreDataFileError(
                .damaged,
                "The -wal contains no frame that belongs to this file: they were not copied together."
            )
        }
        values = ValueReader(external: ExternalData(store: path))
        var notes: [String] = []
        model = try Self.model(store, database, modelPath, &notes)
        layout = LayoutBuilder.layout(model, store)
        header = Header(
            identity: store.identity,
            frameworkVersion: store.metadata["NSPersistenceFrameworkVersion"]?.integer,
            versionIdentifiers: store.metadata["NSStoreModelVersionIdentifiers"]?.strings ?? [],
            metadataKeys: store.metadata.keys, usesLog: copy.usesLog,
            logFrames: database.logFrames, sizes: copy.sizes)
        self.notes =
            notes + layout.notes
            + layout.unknownEntities.values.sorted().map {
                "Z_PRIMARYKEY has the entity \($0), which is not in the model"
            }
        try checkLayout()
        try checkEnumerations()
    }

    private static func model(
        _ store: Bookkeeping, _ database: Database, _ path: String?, _ notes: inout [String]
    ) throws(CoreDataFileError) -> StoreModel {
        var reason = "The store contains no model"
        if store.tables["Z_MODELCACHE"] != nil {
            let row = try database.query("SELECT Z_CONTENT FROM Z_MODELCACHE")
            if try row.step(), case .blob(let data) = row.value(0), !data.isEmpty {
                do throws(CoreDataFileError) {
                    return try StoreModel(archive: Array(data), source: "Z_MODELCACHE")
                } catch {
                    guard error.kind == .damaged, path != nil else { throw error }
                    notes.append("the model in the store cannot be read: \(error.reason)")
                }
            } else {
                reason = "The model in the store is empty"
            }
        }
        guard let path else {
            throw CoreDataFileError(
                .noModel, "\(reason): give the model of the app (.momd, .mom or .xcdatamodeld).")
        }
        return try LayoutBuilder.choose(ModelVersions(path: path), for: store, notes: &notes)
    }

    /// Checks that the model explains every table and column, and every row has an entity of it.
    private func checkLayout() throws(CoreDataFileError) {
        let faults =
            layout.problems + layout.unexplained.map { "\($0) is not in the model" }
        guard faults.isEmpty else {
            let some = faults.prefix(20).joined(separator: "; ")
            let more = faults.count > 20 ? "; and \(faults.count - 20) more" : ""
            throw CoreDataFileError(
                .otherModel, "The model does not fit the store: \(some)\(more).")
        }
        for (number, name) in layout.unknownEntities.sorted(by: { $0.key < $1.key }) {
            for table in Set(layout.tables.values).sorted(by: NameOrder.precedes) {
                let count = try database.number(
                    "SELECT count(*) FROM \(Database.quoted(table)) WHERE Z_ENT = \(number)")
                guard count == 0 else {
                    throw CoreDataFileError(
                        .otherModel,
                        "The store has objects of the entity \(name), which is not in the model.")
                }
            }
        }
    }

    /// Checks that every enumeration is one of the two known forms.
    private func checkEnumerations() throws(CoreDataFileError) {
        for entity in model.order() {
            for property in entity.sortedProperties where property.isOwn && property.isEnumeration {
                guard !property.hasRawValues else { continue }
                let isPlain = property.elements.allSatisfy {
                    $0.type == .string && $0.kind == .attribute
                }
                guard isPlain, !property.elements.isEmpty else {
                    throw CoreDataFileError(
                        .unknown,
                        "\(entity.name).\(property.name) is an enumeration with associated values.")
                }
            }
        }
    }

    /// Returns a text that is different when a program has written a store.
    ///
    /// - Throws: ``CoreDataFileError`` if there is no such file.
    package static func state(of path: String) throws(CoreDataFileError) -> String {
        try StoreCopy.state(of: path)
    }

    /// The entities of the store, in the order of their numbers.
    package var entities: [ModelEntity] {
        model.order().filter { layout.numbers[$0.name] != nil && layout.tables[$0.name] != nil }
    }

    /// Returns the number of objects of exactly this entity.
    ///
    /// - Throws: ``CoreDataFileError``.
    package func count(_ entity: String) throws(CoreDataFileError) -> Int {
        guard let number = layout.numbers[entity], let table = layout.tables[entity] else {
            return 0
        }
        return try database.number(
            "SELECT count(*) FROM \(Database.quoted(table)) WHERE Z_ENT = \(number)") ?? 0
    }

    /// Returns whether two objects have the same values of properties, none of which is null.
    ///
    /// - Parameters:
    ///   - entity: the entity.
    ///   - properties: attributes and relationships to one.
    ///   - withChildren: whether objects of entities that inherit from it count.
    /// - Throws: ``CoreDataFileError``.
    package func hasDuplicates(
        _ entity: String, _ properties: [String], withChildren: Bool
    ) throws(CoreDataFileError) -> Bool {
        var columns: [String] = []
        for property in properties {
            let place = layout.place(entity, property, in: model)
            guard let column = place?.column ?? place?.elements.first?.column else {
                throw CoreDataFileError(.unknown, "\(entity).\(property) has no column.")
            }
            columns.append(Database.quoted(column))
        }
        guard let table = layout.tables[entity], !columns.isEmpty else { return false }
        let entities = withChildren ? model.tree(entity).map(\.name) : [entity]
        let numbers = entities.compactMap { layout.numbers[$0].map(String.init) }
        let filled = columns.map { " AND \($0) IS NOT NULL" }.joined()
        return try database.number(
            "SELECT 1 FROM \(Database.quoted(table)) WHERE Z_ENT IN "
                + "(\(numbers.joined(separator: ", ")))\(filled) "
                + "GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1 LIMIT 1") != nil
    }

    /// Returns the objects of exactly this entity, in the order of their keys.
    ///
    /// - Parameters:
    ///   - entity: the entity.
    ///   - key: only objects with a greater key are returned.
    ///   - withLinks: whether relationships to many are read.
    /// - Throws: ``CoreDataFileError``.
    package func objects(
        _ entity: String, after key: Int? = nil, withLinks: Bool = true
    ) throws(CoreDataFileError) -> ObjectCursor {
        try ObjectCursor(self, entity, after: key, withLinks: withLinks)
    }
}

extension PlainValue {
    /// The keys of a dictionary, sorted.
    var keys: [String] {
        guard case .dictionary(let pairs) = self else { return [] }
        return pairs.compactMap(\.key.string).sorted(by: NameOrder.precedes)
    }

    /// The integer, if it is one.
    var integer: Int? {
        if case .integer(let value) = self { Int(exactly: value) } else { nil }
    }

    /// The strings of a list.
    var strings: [String] {
        if case .list(let items) = self { items.compactMap(\.string) } else { [] }
    }
}
