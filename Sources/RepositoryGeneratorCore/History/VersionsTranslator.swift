internal import RepositorySchema

/// Creates the layer of the types of old versions and of the protocol of the migration functions.
struct VersionsTranslator {
    private let scope: SchemaScope
    private let access: String
    private let calls: [MigrationCall]
    private let types: FrozenTypes

    /// Collects the functions of all versions. There is nothing to translate if there are none.
    ///
    /// - Parameters:
    ///   - history: the released versions.
    ///   - scope: the present declarations, with mixins expanded.
    ///   - access: the access level with a trailing space, or an empty string.
    init?(_ history: VersionHistory, scope: SchemaScope, access: String) {
        calls = history.steps.flatMap(\.calls)
        guard !calls.isEmpty else { return nil }
        self.scope = scope
        self.access = access
        types = FrozenTypes(calls, namespace: Self.name(of: scope.set), access: access)
    }

    /// The name of the enum that holds the types of old versions.
    static func name(of set: SchemaSet) -> String { set.settings.name + "Versions" }

    /// The name of the protocol of the functions.
    static func protocolName(of set: SchemaSet) -> String { set.settings.name + "Migrations" }

    /// The layer of the file.
    var file: FileLayer {
        let layer = VersionsLayer(
            access: access, name: types.namespace,
            protocolName: Self.protocolName(of: scope.set), setName: scope.set.settings.name,
            isPassed: scope.set.settings.migrations == nil,
            functions: calls.flatMap(requirement), calls: calls.flatMap(call),
            tableCalls: tables.flatMap(\.element), types: declarations)
        let usesFoundation = (layer.types + layer.functions).contains { $0.contains("Foundation.") }
        return FileLayer(
            imports: FileImports.ofVersions(
                scope.set.settings, usesFoundation: usesFoundation),
            declarations: [.versions(layer)], types: scope.names)
    }

    /// The functions over several entities.
    private var tables: [TablesDeclaration] {
        calls.compactMap { call in
            if case .tables(let step) = call.kind {
                TablesDeclaration(step, call, types, access: access)
            } else {
                nil
            }
        }
    }

    /// The ids, then the types of each version and the tables of functions over several entities.
    private var declarations: [String] {
        var lines: [String] = []
        for id in types.ids {
            if !lines.isEmpty { lines.append("") }
            // One generic type for all ids costs the compiler less than a type for each.
            lines += [
                "/// What the ids of \(Prose.withArticle(id)) in earlier versions belong to.",
                "nonisolated \(access)enum \(id)Entity {}",
                "/// The id of \(Prose.withArticle(id)).",
                "\(access)typealias \(id)ID<RawValue: RepositoryRuntime.FrozenValue & Swift.Hashable> =",
                "    RepositoryRuntime.FrozenID<\(id)Entity, RawValue>",
            ]
        }
        var version: Int?
        for entry in types.entries {
            if entry.version != version {
                if version != nil { lines.append("}") }
                if !lines.isEmpty { lines.append("") }
                lines += [
                    "/// The types of version \(entry.version).",
                    "nonisolated \(access)enum V\(entry.version) {",
                ]
            } else {
                lines.append("")
            }
            version = entry.version
            lines += entry.lines.map { $0.isEmpty ? "" : "    " + $0 }
        }
        if version != nil { lines.append("}") }
        for table in tables { lines += (lines.isEmpty ? [] : [""]) + table.lines }
        return lines
    }

    /// The requirement of a function with its documentation.
    private func requirement(_ call: MigrationCall) -> [String] {
        let owner = types.qualified(call.oldOwner, call.number - 1, in: call.old)
        let label = Naming.localName(Naming.lowerCamelCase(call.oldOwner))
        switch call.kind {
        case .tables(let step):
            return TablesDeclaration(step, call, types, access: access).requirement
        case .record:
            let new = types.qualified(call.owner, call.number, in: call.new)
            return [
                "/// Version \(call.number): converts \(Prose.withArticle(call.owner)). Nil drops the record.",
                "func \(call.name)(_ old: \(owner)) throws -> \(new)?",
            ]
        case .value(let field, let converting):
            let property = call.new.property(of: field)
            let result = types.type(field.type.value, in: call.new, call.number)
            guard let converting else {
                return [
                    "/// Version \(call.number): the value of `\(property)` where stored records have none.",
                    "func \(call.name)(of \(label): \(owner)) throws -> \(result)",
                ]
            }
            let old = types.type(converting.type.value, in: call.old, call.number - 1)
            let name = Naming.localName(call.old.property(of: converting))
            return [
                "/// Version \(call.number): the value of `\(property)`, which was stored as \(converting.type.value.description).",
                "func \(call.name)(_ \(name): \(old), of \(label): \(owner)) throws -> \(result)",
            ]
        }
    }

    /// The element of the dictionary of functions.
    private func call(_ call: MigrationCall) -> [String] {
        let owner = types.qualified(call.oldOwner, call.number - 1, in: call.old)
        let name = SwiftLiteral.string(call.name)
        switch call.kind {
        case .tables: return []
        case .record:
            return [
                "\(name): { old, new in",
                "    guard let record = try migrations.\(call.name)(\(owner)(old)) else { return false }",
                "    new = RepositoryRuntime.MigrationRow(record)", "    return true", "},",
            ]
        case .value(let field, let converting):
            let property = SwiftLiteral.string(call.new.property(of: field))
            let value = converting.map {
                "record.\(Naming.escaped(call.old.property(of: $0)))"
                    + (call.isID($0) ? ".rawValue, " : ", ")
            }
            return [
                "\(name): { old, new in", "    let record = try \(owner)(old)",
                "    new.set(try migrations.\(call.name)(\(value ?? "")of: record), \(property))",
                "    return true", "},",
            ]
        }
    }
}
