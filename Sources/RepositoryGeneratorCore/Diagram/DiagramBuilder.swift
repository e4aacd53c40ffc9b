internal import RepositorySchema

/// Builds the boxes of a diagram and the links between them.
///
/// A field of a type without a box is followed into the type: its inner fields become links of the
/// outer box.
///
/// The result is used by all output formats; see ``EntityDiagram``.
///
/// The name of such a link is the path to the field, for example `shelf.library`. Links that are
/// combined have a name such as `shelf.…`.
struct DiagramBuilder {
    /// The scope of the set, with mixins expanded.
    private let scope: SchemaScope
    /// The parts to include.
    private let options: EntityDiagram.Options
    /// The indices of the boxes by name.
    private var indices: [String: Int] = [:]
    /// The number of links that lead out of a type without a box, at most ``mostLinks`` + 1. Cached
    /// by name.
    private var linkCounts: [String: Int] = [:]
    /// The number of types visited. Tests use it to bound the cost.
    private(set) var visitedCount = 0
    /// The boxes, in the order of the declarations.
    private(set) var boxes: [EntityDiagram.Box] = []
    /// The links, in the order of the fields.
    private(set) var links: [EntityDiagram.Link] = []

    /// A position on a path from a box through embedded types without boxes.
    private struct Step {
        /// The index of the box at the start of the path.
        var source: Int
        /// The names of the fields on the path, separated by dots.
        var row: Int
        var path: String
        /// Whether the target can be missing.
        var isOptional = false
        /// Whether there can be several targets.
        var isMany = false
        /// Whether no two records share a target.
        var isUnique = false
        /// The number of embedded types on the path.
        var depth = 0
    }

    /// Creates a builder for a set without errors.
    init(_ set: SchemaSet, _ options: EntityDiagram.Options) {
        scope = SchemaScope(set)
        self.options = options
    }

    /// The maximum number of links of one field through embedded types. Beyond it, one link per
    /// target is drawn: if each value embeds the next one twice, the number of paths grows
    /// exponentially.
    private static let mostLinks = 32
    /// The maximum length of a path. Longer paths are also combined to one link per target.
    private static let mostDepth = 32

    /// Builds all boxes, then all links. Call it once.
    mutating func build() {
        for declaration in scope.set.declarations { addBox(declaration) }
        for declaration in scope.set.declarations {
            guard let source = indices[declaration.header.name.value] else { continue }
            let keys = EntityKeys(declaration, scope)
            for (row, member) in members(of: declaration).enumerated() where member.isField {
                let isUnique = member.field.map(keys.isUnique) ?? false
                follow(
                    member.type,
                    Step(
                        source: source, row: row, path: member.name,
                        isOptional: member.isOptional, isUnique: isUnique))
            }
        }
    }

    /// A row of a box.
    ///
    /// Union cases with fields have one row per field, named after the case and the field:
    /// `photo.file`.
    private struct Member {
        var name: String
        var type: TypeExpression
        var isOptional: Bool
        /// Whether the row is a field. False for a case without fields.
        var isField = true
        var field: FieldDeclaration?

        /// A field of an entity or of a value.
        init(_ field: FieldDeclaration) {
            name = field.name.value
            type = field.type.value
            isOptional = type.isOptional
            self.field = field
        }

        /// A field of a union case. It is optional, because only records with this case have it.
        init(_ field: FieldDeclaration, of unionCase: UnionCaseDeclaration) {
            name = unionCase.name.value + "." + field.name.value
            type = field.type.value
            isOptional = true
        }

        /// A union case without fields.
        init(_ unionCase: UnionCaseDeclaration, in union: UnionDeclaration) {
            name = unionCase.name.value
            type = .named(union.header.name.value)
            isOptional = true
            isField = false
        }
    }

    /// The rows of a declaration. Enums have rows too, but no links.
    private func members(of declaration: Declaration) -> [Member] {
        switch declaration {
        case .entity(let entity): scope.fields(of: entity).map { Member($0) }
        case .value(let value): value.fields.map { Member($0) }
        case .union(let union): members(of: union)
        case .enumeration, .scalar, .mixin: []
        }
    }

    private func members(of union: UnionDeclaration) -> [Member] {
        union.cases.flatMap { unionCase in
            unionCase.fields.isEmpty
                ? [Member(unionCase, in: union)]
                : unionCase.fields.map { Member($0, of: unionCase) }
        }
    }

    /// Adds the box of a declaration, unless the options exclude its kind.
    private mutating func addBox(_ declaration: Declaration) {
        let header = declaration.header
        var box = EntityDiagram.Box(
            name: header.name.value, kind: .value, doc: header.doc, rows: [])
        switch declaration {
        case .entity(let entity):
            box.kind = .entity
            let keys = EntityKeys(declaration, scope)
            box.rows = scope.fields(of: entity).map { row(for: $0, keys) }
        case .value where options.showsTypes, .union where options.showsTypes:
            if case .union = declaration { box.kind = .union }
            box.rows = members(of: declaration).map {
                EntityDiagram.Row(name: $0.name, type: $0.type)
            }
        case .enumeration(let enumeration) where options.showsTypes:
            box.kind = .enumeration
            box.rows = enumeration.cases.map {
                EntityDiagram.Row(name: $0.name.value, type: .base(enumeration.rawType.value))
            }
        case .value, .union, .enumeration, .scalar, .mixin: return
        }
        indices[box.name] = boxes.count
        boxes.append(box)
    }

    /// The row of an entity's field, with its key marks.
    private func row(for field: FieldDeclaration, _ keys: EntityKeys) -> EntityDiagram.Row {
        var row = EntityDiagram.Row(name: field.name.value, type: field.type.value)
        let isIdentity = keys.identity.contains(field.name.value)
        if isIdentity { row.marks.append(.primaryKey) }
        if scope.singleReference(field) != nil { row.marks.append(.foreignKey) }
        if !isIdentity, keys.isUnique(field) { row.marks.append(.uniqueKey) }
        return row
    }

    /// The fields that identify the records of an entity.
    private struct EntityKeys {
        /// The fields of the id.
        private(set) var identity: Set<String> = []
        /// The fields with a unique index of their own.
        private var unique: Set<String> = []

        /// Collects the keys of a declaration. Declarations other than entities have none.
        init(_ declaration: Declaration, _ scope: SchemaScope) {
            guard case .entity(let entity) = declaration else { return }
            identity = Set(scope.identityFields(of: entity).map(\.name.value))
            if identity.count == 1 { unique = identity }
            for index in entity.indexes where index.unique && index.condition == nil {
                if index.keys.count == 1 { unique.insert(index.keys[0].field.value) }
            }
        }

        /// Returns whether no two records have the same value of the field.
        func isUnique(_ field: FieldDeclaration) -> Bool {
            field.unique?.value == true || unique.contains(field.name.value)
        }
    }

    /// Adds the links of a field with the given type.
    private mutating func follow(_ type: TypeExpression, _ step: Step) {
        var step = step
        switch type {
        case .base: return
        case .optional(let wrapped): follow(wrapped, step)
        case .list(let element), .map(let element):
            step.isMany = true
            follow(element, step)
        case .named(let name):
            if let target = indices[name] {
                add(step, to: target)
            } else if countLinks(of: name) > Self.mostLinks || step.depth >= Self.mostDepth {
                followTogether(name, step)
            } else if countLinks(of: name) > 0, let part = scope.declarations[name] {
                follow(part, step)
            }
        }
    }

    /// Follows the fields of a value or a union without a box.
    private mutating func follow(_ part: Declaration, _ step: Step) {
        visitedCount += 1
        for member in members(of: part) where member.isField {
            var inner = step
            inner.path += "." + member.name
            inner.isOptional = step.isOptional || member.isOptional
            inner.isUnique = false
            inner.depth += 1
            follow(member.type, inner)
        }
    }

    /// Returns the number of links that lead out of a type without a box, over all paths. Each type
    /// is counted once and cached.
    private mutating func countLinks(of name: String) -> Int {
        // The stack is explicit, because a chain of values can be as long as the schema. The loop
        // ends, because the validator rejects values that contain themselves.
        var stack = [name]
        while let top = stack.last {
            guard linkCounts[top] == nil, indices[top] == nil else {
                stack.removeLast()
                continue
            }
            let inner = scope.declarations[top].map { partNames(in: $0) } ?? []
            let unknown = inner.filter { linkCounts[$0] == nil && indices[$0] == nil }
            guard unknown.isEmpty else {
                stack += unknown
                continue
            }
            visitedCount += 1
            linkCounts[top] = inner.reduce(0) { count, name in
                min(count + (indices[name] != nil ? 1 : linkCounts[name] ?? 0), Self.mostLinks + 1)
            }
            stack.removeLast()
        }
        return linkCounts[name] ?? 0
    }

    /// The names of the types that a declaration embeds or refers to.
    private func partNames(in part: Declaration) -> [String] {
        members(of: part).filter(\.isField).compactMap(\.type.innermostName)
    }

    /// Adds one link per target that is reachable through an embedded type, instead of one link per
    /// path.
    private mutating func followTogether(_ name: String, _ step: Step) {
        /// A type and how it was reached. Each type has at most four states, so the search is
        /// linear.
        struct State: Hashable {
            var name: String
            var isOptional: Bool
            var isMany: Bool
        }
        var visited: Set<State> = []
        var targets: [Int: (isOptional: Bool, isMany: Bool)] = [:]
        var queue = [State(name: name, isOptional: step.isOptional, isMany: step.isMany)]
        while let state = queue.popLast() {
            guard visited.insert(state).inserted else { continue }
            if let target = indices[state.name] {
                let known = targets[target] ?? (false, false)
                targets[target] = (
                    known.isOptional || state.isOptional, known.isMany || state.isMany
                )
                continue
            }
            visitedCount += 1
            guard let part = scope.declarations[state.name] else { continue }
            for member in members(of: part) where member.isField {
                guard let inner = member.type.innermostName else { continue }
                queue.append(
                    State(
                        name: inner, isOptional: state.isOptional || member.isOptional,
                        isMany: state.isMany || member.type.holdsMany))
            }
        }
        for (target, state) in targets.sorted(by: { $0.key < $1.key }) {
            var link = step
            link.path += ".…"
            (link.isOptional, link.isMany, link.isUnique) = (state.isOptional, state.isMany, false)
            add(link, to: target)
        }
    }

    /// Adds a link to a box, with the cardinalities at both ends.
    private mutating func add(_ step: Step, to target: Int) {
        let kind = boxes[target].kind
        let one: EntityDiagram.Cardinality = step.isOptional ? .zeroOrOne : .one
        // An embedded value belongs to exactly one record.
        let ofPart: EntityDiagram.Cardinality =
            kind == .value || kind == .union ? .one : .zeroOrMore
        let ofRecord: EntityDiagram.Cardinality =
            step.isUnique && !step.isMany ? .zeroOrOne : .zeroOrMore
        links.append(
            EntityDiagram.Link(
                source: step.source, row: step.row, target: target, name: step.path,
                sourceCount: kind == .entity ? ofRecord : ofPart,
                targetCount: step.isMany ? .zeroOrMore : one,
                isReference: kind == .entity))
    }
}

extension TypeExpression {
    /// Whether the type contains a list or a map.
    fileprivate var holdsMany: Bool {
        switch self {
        case .base, .named: false
        case .optional(let wrapped): wrapped.holdsMany
        case .list, .map: true
        }
    }
}
