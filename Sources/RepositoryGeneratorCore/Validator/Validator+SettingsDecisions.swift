internal import ConditionLanguage
internal import RepositorySchema

/// Rules for the decisions of the settings.
extension Validator {
    /// Checks `removed`, `reuse`, `migrate` and `migrations` of the settings against the
    /// declarations.
    ///
    /// ```yaml
    /// removed: [Loan]                          # reported if 'Loan' is declared
    /// migrate: { code: [Client, Clinet] }      # reported: there is no entity 'Clinet'
    /// migrations: AppMigrations
    /// ```
    mutating func checkSettingsDecisions() {
        let settings = scope.set.settings
        if !settings.removed.isEmpty || !settings.reuse.isEmpty {
            var names = PresentNames(kind: "entities", isComplete: isEveryNameKnown)
            for entity in scope.entities {
                names.add(entity.header.name)
                for earlier in entity.renamedFrom {
                    names.add(earlier: earlier, of: entity.header.name)
                }
            }
            // A name that begins with a lower-case letter has been reported as invalid.
            checkRemoved(
                settings.removed, settings.reuse.filter { $0.value.first?.isLowercase != true },
                names)
        }
        checkMigrated(settings)
        checkMigrationsType(settings)
    }

    /// Whether the names of all declarations could be read.
    private var isEveryNameKnown: Bool { scope.set.isComplete && scope.refusedNames.isEmpty }

    /// Checks the entities of `migrate`: each is declared or removed, and has one decision for a
    /// version.
    private mutating func checkMigrated(_ settings: SchemaSettings) {
        guard !settings.migrate.isEmpty else { return }
        let entities = Dictionary(
            scope.entities.map { ($0.header.name.value, $0) },
            uniquingKeysWith: { first, _ in first })
        let removed = Set(settings.removed.map(\.value))
        var seen: [String: [(version: Int?, range: SourceRange)]] = [:]
        for decision in settings.migrate {
            if decision.entities.isEmpty {
                add(
                    "'migrate' names no entity", at: decision.range,
                    help: "list the entities that the function converts: "
                        + "'{ code: [Client, Membership] }'")
            }
            let version = decision.version?.value
            for name in decision.entities {
                let others = seen[name.value] ?? []
                let entity = entities[name.value]
                if let first = others.first(where: { Self.overlap($0.version, version) }) {
                    add(
                        "'\(name.value)' is migrated twice", at: name.range,
                        help: "remove one of them",
                        notes: [Diagnostic.Note("the other one is listed here", at: first.range)])
                } else if let own = entity?.migrate, Self.overlap(own.version?.value, version) {
                    add(
                        "'\(name.value)' is migrated here and by a function of its own",
                        at: name.range,
                        help: "remove it here, or 'migrate' of the entity",
                        notes: [Diagnostic.Note("that one is declared here", at: own.range)])
                } else if entity == nil, !removed.contains(name.value) {
                    unknownMigrated(name)
                }
                seen[name.value] = others + [(version, name.range)]
            }
        }
    }

    /// Returns whether two decisions can be for the same version; nil is the next version.
    private static func overlap(_ first: Int?, _ second: Int?) -> Bool {
        first == nil || second == nil || first == second
    }

    /// Reports a name in `migrate` that is no entity.
    private mutating func unknownMigrated(_ name: Located<String>) {
        if let other = scope.declarations[name.value] {
            add(
                "'\(name.value)' is no entity, but \(other.kindInWords)", at: name.range,
                help: "name the entities that contain it",
                notes: [Diagnostic.Note("it is declared here", at: other.header.name.range)])
            return
        }
        // A name that begins with a lower-case letter has been reported as invalid.
        guard isEveryNameKnown, name.value.first?.isLowercase != true else { return }
        add(
            "there is no entity '\(name.value)'", at: name.range,
            help: NearestName.of(name.value, among: scope.entities.map(\.header.name.value)).map {
                "did you mean '\($0)'?"
            } ?? "if it is no longer declared, list it under 'removed'")
    }

    /// Checks that `migrations` names a type of the program, not one that is generated.
    private mutating func checkMigrationsType(_ settings: SchemaSettings) {
        guard let name = settings.migrations else { return }
        let generated = [settings.name, settings.name + "Migrations", settings.name + "Versions"]
        if let declared = scope.declarations[name.value] {
            add(
                "'\(name.value)' is declared in a schema, so it cannot have the functions for "
                    + "decisions by code",
                at: name.range, help: "name a type of the program, such as 'AppMigrations'",
                notes: [Diagnostic.Note("it is declared here", at: declared.header.name.range)])
        } else if generated.contains(name.value) {
            add(
                "'\(name.value)' is generated, so it cannot have the functions for decisions by "
                    + "code",
                at: name.range, help: "name a type of the program, such as 'AppMigrations'")
        }
    }
}
