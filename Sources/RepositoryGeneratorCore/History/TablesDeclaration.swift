internal import RepositorySchema
internal import StoredSchema

/// The text of a function that migrates several entities together, and of the type with its tables.
///
/// ```swift
/// func clientAddressTo5(
///     _ old: LibraryVersions.ClientAddressTo5.Old, into new: LibraryVersions.ClientAddressTo5.New
/// ) throws
/// ```
struct TablesDeclaration {
    private let step: TablesStep
    private let call: MigrationCall
    private let types: FrozenTypes
    private let access: String

    /// Prepares the text.
    ///
    /// - Parameters:
    ///   - step: the entities.
    ///   - call: the function.
    ///   - types: the types of old versions.
    ///   - access: the access level with a trailing space, or an empty string.
    init(_ step: TablesStep, _ call: MigrationCall, _ types: FrozenTypes, access: String) {
        self.step = step
        self.call = call
        self.types = types
        self.access = access
    }

    private var typeName: String { "\(types.namespace).\(step.typeName)" }

    /// The requirement of the protocol with its documentation.
    var requirement: [String] {
        let names = step.decision.entities.map { "`\($0.value)`" }
        let last = names.count > 1 ? " and \(names[names.count - 1])" : ""
        let list = (names.count > 1 ? names.dropLast() : names[...]).joined(separator: ", ") + last
        return [
            "/// Version \(step.number): the records of \(list) together. Old records that it does not",
            "/// write are dropped.", "func \(step.function)(",
            "    _ old: \(typeName).Old,", "    into new: \(typeName).New) throws",
        ]
    }

    /// The element of the dictionary of functions.
    var element: [String] {
        [
            "\(SwiftLiteral.string(step.function)): { tables in",
            "    try migrations.\(step.function)(",
            "        \(typeName).Old(tables),",
            "        into: \(typeName).New(tables))", "},",
        ]
    }

    /// The declaration of the type.
    var lines: [String] {
        var lines = [
            "/// The tables of `\(step.function)`.",
            "nonisolated \(access)enum \(step.typeName) {",
            "    /// The records of version \(step.number - 1).",
            "    nonisolated \(access)struct Old {",
        ]
        lines += step.old.flatMap { item in
            [
                "        /// The old \(Prose.plural(item.entity.header.name.value)).",
                "        \(access)let \(property(item.entity)): \(reader(item.entity))",
            ]
        }
        lines += initializer(step.old, "reader")
        lines += step.old.flatMap(finders)
        lines += [
            "    }", "", "    /// The records of version \(step.number).",
            "    nonisolated \(access)struct New {",
        ]
        lines += step.new.flatMap { item in
            let name = item.entity.header.name.value
            let record = types.qualified(name, step.number, in: call.new)
            return [
                "        /// The new \(Prose.plural(name)).",
                "        \(access)let \(property(item.entity)): RepositoryRuntime.MigrationWriter<\(record)>",
            ]
        }
        return lines + initializer(step.new, "writer") + ["    }", "}"]
    }

    private func initializer(_ tables: [TablesStep.Table], _ method: String) -> [String] {
        var lines = tables.isEmpty ? [] : [""]
        lines += [
            "        /// Takes the tables of a migration.",
            "        \(access)init(_ tables: RepositoryRuntime.MigrationTables) {",
        ]
        lines += tables.map { item in
            let table = SwiftLiteral.string(item.table.name)
            return "            self.\(property(item.entity)) = tables.\(method)(\(table))"
        }
        return lines + ["        }"]
    }

    /// The property of an entity: `clients`.
    private func property(_ entity: EntityDeclaration) -> String {
        Naming.escaped(Naming.repositoryPropertyName(for: entity.header.name.value))
    }

    private func reader(_ entity: EntityDeclaration) -> String {
        let name = entity.header.name.value
        let record = types.qualified(name, step.number - 1, in: call.old)
        let id = types.type(.named(name), in: call.old, step.number - 1)
        return "RepositoryRuntime.MigrationReader<\(record), \(id)>"
    }

    /// The methods that find old records by a reference or an index.
    private func finders(_ item: TablesStep.Table) -> [String] {
        let (entity, table) = item
        let fields = Dictionary(
            call.old.fields(of: entity).map { (call.old.property(of: $0), $0) },
            uniquingKeysWith: { first, _ in first })
        let isAlone = table.key.count == 1
        var found: [[String]] = table.fields.filter { field in
            switch field.type {
            case .single, .composite:
                field.reference != nil && !(isAlone && table.key == [field.name])
            case .object, .list, .map: false
            }
        }.map { [$0.name] }
        for index in table.indexes where index.condition == nil {
            let keys = index.keys.map { $0.hasPrefix("-") ? String($0.dropFirst()) : $0 }
            if !found.contains(keys), keys != table.key { found.append(keys) }
        }
        let record = types.qualified(entity.header.name.value, step.number - 1, in: call.old)
        return found.flatMap { keys -> [String] in
            let declared = keys.compactMap { fields[$0] }
            guard declared.count == keys.count else { return [] }
            let parameters = zip(keys, declared).map { key, field in
                "\(Naming.parameter(key)): "
                    + types.type(field.type.value, in: call.old, step.number - 1)
            }
            let values = keys.map { "\(SwiftLiteral.string($0)): \(Naming.localName($0))" }
            return [
                "",
                "        /// Returns the old \(Prose.plural(entity.header.name.value)) with "
                    + (keys.count == 1 ? "a value of `\(keys[0])`." : "these values."),
                "        \(access)func \(property(entity))(\(parameters.joined(separator: ", "))) -> RepositoryRuntime.MigrationRecords<\(record)> {",
                "            self.\(property(entity)).records(where: [\(values.joined(separator: ", "))])",
                "        }",
            ]
        }
    }
}
