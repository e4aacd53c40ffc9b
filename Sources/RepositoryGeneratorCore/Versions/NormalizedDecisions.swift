internal import RepositorySchema

/// How data of the version before is converted, in normal form. Decisions describe a change, not
/// the schema: they are written into version files, but two schemas that differ in decisions only
/// are the same version.
struct NormalizedDecisions: Sendable {
    /// `renamedFrom`
    var renamedFrom: [String] = []
    /// `removed` of the settings, an entity, a value or a union.
    var removed: [String] = []
    /// `removed` of an enum.
    var replacedCases: [(name: String, replacement: String)] = []
    /// `reuse`
    var reuse: [String] = []
    /// `fill`
    var fill: NormalizedDecision?
    /// `convert`
    var convert: NormalizedDecision?
    /// `migrate` of an entity.
    var migrate: NormalizedDecision?
    /// `migrate` of the settings.
    var migrateTogether: [NormalizedDecision] = []

    /// The keys, in the order of the file.
    var keys: [NormalizedKey] {
        var keys: [NormalizedKey] = []
        func add(_ name: String, _ names: [String]) {
            guard !names.isEmpty else { return }
            keys.append(
                NormalizedKey(name: name, value: YAMLText.list(names.map(YAMLText.name))))
        }
        add("renamedFrom", renamedFrom)
        add("removed", removed)
        if !replacedCases.isEmpty {
            let cases = replacedCases.map {
                (YAMLText.name($0.name), YAMLText.name($0.replacement))
            }
            keys.append(NormalizedKey(name: "removed", value: YAMLText.mapping(cases)))
        }
        add("reuse", reuse)
        for (name, decision) in [("fill", fill), ("convert", convert), ("migrate", migrate)] {
            guard let decision else { continue }
            keys.append(NormalizedKey(name: name, value: decision.value))
        }
        if !migrateTogether.isEmpty {
            let list = YAMLText.list(migrateTogether.map(\.value))
            keys.append(NormalizedKey(name: "migrate", value: list))
        }
        return keys
    }
}

/// A decision that can be for one version only.
struct NormalizedDecision: Sendable {
    /// The value as YAML, without `for`. The number of a version file says the same.
    var value: String
    /// The version that the decision is for; nil for the next one.
    var version: Int?
    /// The place of the value.
    var range: SourceRange

    /// Returns whether the decision is for a version, if that is the next one.
    func isFor(_ number: Int) -> Bool { version == nil || version == number }

    /// Returns the decision as its version file writes it. One that repeats a decision of the
    /// version before keeps `for`, which tells it from one that was left in the schema.
    func repeating(_ old: [NormalizedDecision]) -> NormalizedDecision {
        guard let version, old.contains(where: { UTF8Name($0.value) == UTF8Name(value) }) else {
            return self
        }
        var result = self
        let keys = value.hasSuffix(" }") ? String(value.dropLast(2)) : "{ \(value)"
        result.value = "\(keys), for: \(version) }"
        return result
    }
}

extension NormalizedDecisions {
    /// The decisions of the settings.
    init(_ settings: SchemaSettings) {
        removed = settings.removed.map(\.value)
        reuse = settings.reuse.map(\.value)
        migrateTogether = settings.migrate.map { decision in
            let names = YAMLText.list(decision.entities.map { YAMLText.name($0.value) })
            return NormalizedDecision(
                value: YAMLText.mapping([("code", names)]), version: decision.version?.value,
                range: decision.range)
        }
    }

    /// The decisions of an entity.
    init(_ entity: EntityDeclaration) {
        self.init(entity.renamedFrom, removed: entity.removed, reuse: entity.reuse)
        migrate = entity.migrate.map {
            NormalizedDecision(value: "code", version: $0.version?.value, range: $0.range)
        }
    }

    /// The decisions of an enum.
    init(_ enumeration: EnumDeclaration) {
        self.init(enumeration.renamedFrom)
        replacedCases = enumeration.removed.map { ($0.name.value, $0.replacement.value) }
    }

    /// The decisions of a field or id.
    init(_ field: FieldDeclaration, scope: SchemaScope) {
        self.init(field.renamedFrom)
        let type = field.type.value
        fill = field.fill.map { fill in
            let text =
                switch fill.source {
                case .code: "code"
                case .value(let literal): Self.fill(literal.value, as: type, scope: scope)
                }
            return NormalizedDecision(value: text, version: fill.version?.value, range: fill.range)
        }
        convert = field.convert.map { convert in
            let text =
                switch convert.method {
                case .code: "code"
                case .value(nil): "value"
                case .value(let otherwise?):
                    "{ value, otherwise: "
                        + CanonicalLiteral(scope: scope).yaml(otherwise.value, as: type) + " }"
                }
            return NormalizedDecision(
                value: text, version: convert.version?.value, range: convert.range)
        }
    }

    /// The decisions that only list names.
    init(
        _ renamedFrom: [Located<String>], removed: [Located<String>] = [],
        reuse: [Located<String>] = []
    ) {
        self.renamedFrom = renamedFrom.map(\.value)
        self.removed = removed.map(\.value)
        self.reuse = reuse.map(\.value)
    }

    /// Returns the literal of `fill`: in the long form if the short one is another decision.
    private static func fill(
        _ literal: Literal, as type: TypeExpression, scope: SchemaScope
    ) -> String {
        let text = CanonicalLiteral(scope: scope).yaml(literal, as: type)
        let isShort = text != "code" && !text.hasPrefix("{")
        return isShort ? text : YAMLText.mapping([("value", text)])
    }
}
