internal import ConditionLanguage
internal import RepositorySchema

/// Rules for `removed` and `reuse`: names whose data is dropped, and removed names that are declared
/// again.
extension Validator {
    /// Checks the removed and reused fields of an entity or a value.
    ///
    /// ```yaml
    /// entity: Book
    /// removed: [title, pages]   # reported: 'title' is still declared
    /// reuse: [subtitle]         # reported: 'subtitle' is not declared
    /// fields: { title: String }
    /// ```
    mutating func checkRemovedFields(
        _ removed: [Located<String>], _ reuse: [Located<String>], _ fields: [FieldDeclaration],
        _ header: DeclarationHeader
    ) {
        guard !removed.isEmpty || !reuse.isEmpty else { return }
        var names = PresentNames(kind: "fields", isComplete: header.isComplete)
        for field in fields { names.add(field) }
        checkRemoved(removed, reuse, names)
    }

    /// Checks the removed and reused cases of a union, and fields of cases.
    ///
    /// ```yaml
    /// union: Shape
    /// removed: [square, circle.radius, oval.width]   # reported: write 'oval'
    /// cases: { circle: { size: Double } }
    /// ```
    mutating func checkRemovedCases(of union: UnionDeclaration) {
        guard !union.removed.isEmpty || !union.reuse.isEmpty else { return }
        var names = PresentNames(kind: "cases", isComplete: union.header.isComplete)
        for item in union.cases {
            names.add(item.name)
            for field in item.fields { names.add(field, in: item.name.value) }
        }
        for name in union.removed where names.isComplete {
            let parts = name.value.split(separator: ".")
            guard parts.count == 2, let owner = parts.first.map(String.init),
                names.declared[owner] == nil
            else { continue }
            add(
                "the union '\(union.header.name.value)' has no case '\(owner)'", at: name.range,
                help: NearestName.of(owner, among: union.cases.map(\.name.value)).map {
                    "did you mean '\($0).\(parts[1])'?"
                } ?? "write '\(owner)', which removes its fields, too")
        }
        checkRemoved(union.removed, union.reuse, names)
    }

    /// Checks the removed cases of an enum and those that replace them.
    ///
    /// ```yaml
    /// enum: Status
    /// removed: { lost: withdrawn, sold: gone }   # reported: there is no case 'gone'
    /// cases: [available, withdrawn]
    /// ```
    mutating func checkReplacedCases(of enumeration: EnumDeclaration) {
        guard !enumeration.removed.isEmpty else { return }
        var names = PresentNames(kind: "cases", isComplete: enumeration.header.isComplete)
        for item in enumeration.cases {
            names.add(item.name)
            for earlier in item.renamedFrom { names.add(earlier: earlier, of: item.name) }
        }
        checkRemoved(enumeration.removed.map(\.name), [], names)
        for item in enumeration.removed {
            let replacement = item.replacement
            if replacement.value == item.name.value {
                add(
                    "'\(item.name.value)' cannot replace itself", at: replacement.range,
                    help: "name a case that is declared")
            } else if replacement.value == enumeration.unknownCase?.value {
                add(
                    "'\(replacement.value)' stands for unknown raw values and has none of its own",
                    at: replacement.range, help: "name a case under 'cases'")
            } else if names.isComplete, names.declared[replacement.value] == nil {
                add(
                    "there is no case '\(replacement.value)' that could replace "
                        + "'\(item.name.value)'",
                    at: replacement.range, help: names.help(for: replacement.value))
            }
        }
    }

    /// Checks removed and reused names against the names of the present schema.
    mutating func checkRemoved(
        _ removed: [Located<String>], _ reuse: [Located<String>], _ names: PresentNames
    ) {
        let dropped = listed(removed)
        let reused = listed(reuse)
        for name in removed where dropped[name.value] == name.range && reused[name.value] == nil {
            if let declared = names.declared[name.value] {
                add(
                    "'\(name.value)' is still declared, so it has not been removed",
                    at: name.range, help: "remove it here, or the declaration there",
                    notes: [Diagnostic.Note("it is declared here", at: declared)])
            } else if let present = names.present[name.value] {
                add(
                    "'\(name.value)' is removed, and '\(present.value)' was renamed from it",
                    at: name.range,
                    help: "remove one of them: 'renamedFrom' keeps the data, 'removed' drops it",
                    notes: [
                        Diagnostic.Note("'\(present.value)' is declared here", at: present.range)
                    ])
            }
        }
        for name in reuse where reused[name.value] == name.range {
            if let other = dropped[name.value] {
                add(
                    "'\(name.value)' is listed under 'removed' and under 'reuse'", at: name.range,
                    help: names.declared[name.value] == nil
                        ? "remove it here: 'reuse' is for a name that is declared again"
                        : "remove it there: 'removed' is for a name that is not declared",
                    notes: [Diagnostic.Note("'removed' lists it here", at: other)])
            } else if names.declared[name.value] == nil, names.isComplete {
                add(
                    "'\(name.value)' is not declared, so its name is not reused", at: name.range,
                    help: names.help(for: name.value) ?? "remove it")
            }
        }
    }

    /// Returns the first places of names, and reports names that are listed twice.
    private mutating func listed(_ names: [Located<String>]) -> [String: SourceRange] {
        var seen: [String: SourceRange] = [:]
        for name in names {
            if seen[name.value] == nil {
                seen[name.value] = name.range
            } else {
                add("'\(name.value)' is listed twice", at: name.range, help: "remove one of them")
            }
        }
        return seen
    }
}

/// The names that `removed` and `reuse` of a declaration are compared with.
struct PresentNames {
    /// The plural noun for the names.
    let kind: String
    /// Whether all names could be read.
    let isComplete: Bool
    /// The declared names with their places.
    private(set) var declared: [String: SourceRange] = [:]
    /// The present names by earlier ones.
    private(set) var present: [String: Located<String>] = [:]
    /// The declared names in order, for suggestions.
    private var order: [String] = []

    init(kind: String, isComplete: Bool) {
        self.kind = kind
        self.isComplete = isComplete
    }

    /// Adds a name.
    mutating func add(_ name: Located<String>) {
        guard declared[name.value] == nil else { return }
        declared[name.value] = name.range
        order.append(name.value)
    }

    /// Adds an earlier name.
    mutating func add(earlier: Located<String>, of name: Located<String>) {
        if present[earlier.value] == nil { present[earlier.value] = name }
    }

    /// Adds a field with its earlier names; `owner` is the case of a union that has it.
    mutating func add(_ field: FieldDeclaration, in owner: String? = nil) {
        func full(_ name: Located<String>) -> Located<String> {
            Located(owner.map { "\($0).\(name.value)" } ?? name.value, at: name.range)
        }
        add(full(field.name))
        for earlier in field.renamedFrom { add(earlier: full(earlier), of: full(field.name)) }
    }

    /// Returns the suggestion for a name that is not declared.
    func help(for name: String) -> String? {
        NearestName.help(for: name, among: order, kind: kind)
    }
}
