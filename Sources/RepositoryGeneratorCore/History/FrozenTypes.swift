internal import RepositorySchema

/// The types of old versions that the functions of a migration use.
///
/// A type is written for a version if a signature of a function reaches it. A type that is deeply
/// identical in an earlier version for which it is written is an alias of that one. Types of
/// later versions therefore never change what is written for earlier ones.
struct FrozenTypes {
    /// A type of a version.
    struct Key: Hashable {
        let version: Int
        let name: UTF8Name

        init(_ version: Int, _ name: String) {
            self.version = version
            self.name = UTF8Name(name)
        }
    }

    /// A type to write.
    struct Entry {
        let version: Int
        let name: String
        /// The lines of the declaration, or of the alias.
        let lines: [String]
    }

    /// The entries by version, in the order of the declarations.
    private(set) var entries: [Entry] = []
    /// The names of the entities whose ids are needed, sorted.
    private(set) var ids: [String] = []
    /// The name of the enum that holds the versions: `LibraryVersions`.
    let namespace: String
    private let access: String
    private let scopes: [Int: SchemaScope]
    /// The version in which an identical type is declared.
    private var origins: [Key: Int] = [:]

    /// Collects the types that functions reach.
    ///
    /// - Parameters:
    ///   - calls: the functions.
    ///   - namespace: the name of the enum that holds the versions.
    ///   - access: the access level with a trailing space, or an empty string.
    init(_ calls: [MigrationCall], namespace: String, access: String) {
        self.namespace = namespace
        self.access = access
        var scopes: [Int: SchemaScope] = [:]
        var needed: [Int: Set<UTF8Name>] = [:]
        var idNames: Set<UTF8Name> = []
        var pending: [(version: Int, name: String)] = []
        for call in calls {
            scopes[call.number - 1] = call.old
            scopes[call.number] = call.new
            switch call.kind {
            case .tables(let step):
                pending += step.old.map { (call.number - 1, $0.entity.header.name.value) }
                pending += step.new.map { (call.number, $0.entity.header.name.value) }
                // Records are read by their ids.
                for entity in step.old.map(\.entity) {
                    guard case .composite = entity.identity else { continue }
                    pending.append((call.number - 1, Self.id(of: entity.header.name.value)))
                }
            case .record:
                pending.append((call.number - 1, call.oldOwner))
                pending.append((call.number, call.owner))
            case .value(let field, _):
                pending.append((call.number - 1, call.oldOwner))
                let reached = Reached(field.type.value, call.new)
                pending += reached.types.map { (call.number, $0) }
                idNames.formUnion(reached.ids.map(UTF8Name.init))
            }
        }
        var names: [UTF8Name: String] = [:]
        while let (version, name) = pending.popLast() {
            guard let scope = scopes[version],
                needed[version, default: []].insert(UTF8Name(name)).inserted
            else { continue }
            names[UTF8Name(name)] = name
            let reached = Reached(declaration: name, scope)
            pending += reached.types.map { (version, $0) }
            idNames.formUnion(reached.ids.map(UTF8Name.init))
            for id in reached.ids { names[UTF8Name(id)] = id }
        }
        self.scopes = scopes
        var allIDs = Set<String>()
        for call in calls {
            for scope in [call.old, call.new] {
                for entity in scope.entities
                where idNames.contains(UTF8Name(entity.header.name.value)) {
                    allIDs.insert(entity.header.name.value)
                }
            }
        }
        ids = allIDs.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        write(needed)
    }

    /// Writes the types of all versions, oldest first.
    private mutating func write(_ needed: [Int: Set<UTF8Name>]) {
        var written: [UTF8Name: [(version: Int, identity: [String])]] = [:]
        for version in needed.keys.sorted() {
            guard let scope = scopes[version], let wanted = needed[version] else { continue }
            let names = scope.set.declarations.map(\.header.name.value)
                .flatMap { [$0, Self.id(of: $0)] }.filter { wanted.contains(UTF8Name($0)) }
            for name in names {
                let identity = identity(of: name, in: scope)
                let twin = written[UTF8Name(name)]?.first { $0.identity == identity }
                origins[Key(version, name)] = twin?.version ?? version
                if twin == nil { written[UTF8Name(name), default: []].append((version, identity)) }
            }
            for name in names {
                let origin = origins[Key(version, name)] ?? version
                let swiftName = Self.swiftName(name, in: scope)
                let lines =
                    origin == version
                    ? lines(of: name, in: scope, access: access, version)
                    : [
                        "/// The same as in version \(origin).",
                        "\(access)typealias \(swiftName) = \(namespace).V\(origin).\(swiftName)",
                    ]
                entries.append(Entry(version: version, name: name, lines: lines))
            }
        }
    }

    /// The name under which the composite id of an entity is collected.
    fileprivate static func id(of entity: String) -> String { entity + ".ID" }

    /// The name of the entity whose composite id has a name; nil for the name of a declaration.
    fileprivate static func entity(ofID name: String) -> String? {
        name.hasSuffix(".ID") ? String(name.dropLast(3)) : nil
    }

    /// Returns the name of a type in its version. The id of `Loan` is `LoanID`, or `LoanIDValue` if
    /// the schema declares a `LoanID`.
    private static func swiftName(_ name: String, in scope: SchemaScope) -> String {
        guard let entity = entity(ofID: name) else { return Naming.escaped(name) }
        let plain = entity + "ID"
        return scope.declarations[plain] == nil ? plain : plain + "Value"
    }

    /// Returns the lines of a type.
    private func lines(
        of name: String, in scope: SchemaScope, access: String, _ version: Int?
    ) -> [String] {
        guard let declaration = scope.declarations[Self.entity(ofID: name) ?? name] else {
            return []
        }
        let frozen = FrozenDeclaration(declaration, scope, access: access) {
            type($0, in: scope, version)
        }
        return Self.entity(ofID: name) == nil
            ? frozen.lines : frozen.compositeID(named: Self.swiftName(name, in: scope))
    }

    /// Returns what a declaration and all that it reaches look like, without versions.
    private func identity(of name: String, in scope: SchemaScope) -> [String] {
        var texts: [String] = []
        var seen: Set<UTF8Name> = []
        var pending = [name]
        while let name = pending.popLast() {
            guard seen.insert(UTF8Name(name)).inserted else { continue }
            texts.append(
                ([name] + lines(of: name, in: scope, access: "", nil)).joined(separator: "\n"))
            pending += Reached(declaration: name, scope).types
        }
        return texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Returns a type as generated code of old versions writes it, fully qualified.
    ///
    /// - Parameters:
    ///   - type: the type in the schema.
    ///   - scope: the declarations of the version.
    ///   - version: the version; nil for a form that is the same in all versions.
    func type(_ type: TypeExpression, in scope: SchemaScope, _ version: Int?) -> String {
        switch type {
        case .base(let base):
            (base.module ?? "Swift") + "." + base.rawValue
        case .optional(let wrapped): self.type(wrapped, in: scope, version) + "?"
        case .list(let element): "[\(self.type(element, in: scope, version))]"
        case .map(let value): "[Swift.String: \(self.type(value, in: scope, version))]"
        case .named(let name): named(name, in: scope, version)
        }
    }

    private func named(_ name: String, in scope: SchemaScope, _ version: Int?) -> String {
        switch scope.declarations[name] {
        case .entity(let entity):
            switch entity.identity {
            case .single(let id):
                return "\(namespace).\(name)ID<\(type(id.type.value, in: scope, version))>"
            case .composite: return qualified(Self.id(of: name), version, in: scope)
            }
        case .scalar(let scalar): return type(.base(scalar.stored.value), in: scope, version)
        default: return qualified(name, version, in: scope)
        }
    }

    /// Returns the name of a type of a version.
    func qualified(_ name: String, _ version: Int?, in scope: SchemaScope) -> String {
        let swiftName = Self.swiftName(name, in: scope)
        guard let version else { return swiftName }
        let origin = origins[Key(version, name)] ?? version
        return "\(namespace).V\(origin).\(swiftName)"
    }
}

/// The types that a type or declaration names directly.
private struct Reached {
    /// The values, unions and enums, and the entities with composite ids that it refers to.
    private(set) var types: [String] = []
    /// The entities with one id field to which it refers.
    private(set) var ids: [String] = []

    /// What a type names.
    init(_ type: TypeExpression, _ scope: SchemaScope) { add(type, scope) }

    /// What the fields or cases of a declaration name.
    init(declaration name: String, _ scope: SchemaScope) {
        if let owner = FrozenTypes.entity(ofID: name) {
            guard case .entity(let entity) = scope.declarations[owner] else { return }
            for field in scope.identityFields(of: entity) { add(field.type.value, scope) }
            return
        }
        switch scope.declarations[name] {
        case .entity(let entity):
            for field in scope.fields(of: entity) { add(field.type.value, scope) }
            if case .single = entity.identity { ids.append(name) }
        case .value(let value): for field in value.fields { add(field.type.value, scope) }
        case .union(let union):
            for field in union.cases.flatMap(\.fields) { add(field.type.value, scope) }
        case .enumeration, .scalar, .mixin, nil: break
        }
    }

    private mutating func add(_ type: TypeExpression, _ scope: SchemaScope) {
        var next = type.innermostName
        // An id can be a reference itself, in a chain as long as the schema.
        while let name = next {
            next = nil
            switch scope.declarations[name] {
            case .entity(let entity):
                switch entity.identity {
                case .single(let id):
                    guard !ids.contains(name) else { return }
                    ids.append(name)
                    next = id.type.value.innermostName
                case .composite: types.append(FrozenTypes.id(of: name))
                }
            case .value, .union, .enumeration: types.append(name)
            case .scalar, .mixin, nil: break
            }
        }
    }
}
