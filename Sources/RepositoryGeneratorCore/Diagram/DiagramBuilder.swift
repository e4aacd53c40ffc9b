internal import RepositorySchema

/// Finds the boxes of a diagram and how they name each other.
struct DiagramBuilder {
    private let scope: SchemaScope
    private let options: EntityDiagram.Options
    private var indices: [String: Int] = [:]
    /// How many links lead out of a part that has no box, `mostLinks` and one at most.
    private var linkCounts: [String: Int] = [:]
    /// How many parts were looked into; the cost, for tests.
    private(set) var visitedCount = 0
    private(set) var boxes: [EntityDiagram.Box] = []
    private(set) var links: [EntityDiagram.Link] = []

    /// A field on the way from an entity through its values, and how it was reached.
    private struct Step {
        var source: Int
        var row: Int
        var path: String
        var isOptional = false
        var isMany = false
        var isUnique = false
        /// How many parts the way leads through.
        var depth = 0
    }

    init(_ set: SchemaSet, _ options: EntityDiagram.Options) {
        scope = SchemaScope(set)
        self.options = options
    }

    /// More links of one field by way of parts are drawn as one for each box: values that each hold
    /// two of the next have exponentially many ways through them.
    private static let mostLinks = 32
    /// So are links by a longer way.
    private static let mostDepth = 32

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

    /// What stands in a row of a box.
    private struct Member {
        var name: String
        var type: TypeExpression
        var isOptional: Bool
        /// Whether it is a field, and not a case without any.
        var isField = true
        var field: FieldDeclaration?

        init(_ field: FieldDeclaration) {
            name = field.name.value
            type = field.type.value
            isOptional = type.isOptional
            self.field = field
        }

        /// A field of a case, which only records of that case have.
        init(_ field: FieldDeclaration, of unionCase: UnionCaseDeclaration) {
            name = unionCase.name.value + "." + field.name.value
            type = field.type.value
            isOptional = true
        }

        /// A case without fields.
        init(_ unionCase: UnionCaseDeclaration, in union: UnionDeclaration) {
            name = unionCase.name.value
            type = .named(union.header.name.value)
            isOptional = true
            isField = false
        }
    }

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

    private func row(for field: FieldDeclaration, _ keys: EntityKeys) -> EntityDiagram.Row {
        var row = EntityDiagram.Row(name: field.name.value, type: field.type.value)
        let isIdentity = keys.identity.contains(field.name.value)
        if isIdentity { row.marks.append(.primaryKey) }
        if scope.singleReference(field) != nil { row.marks.append(.foreignKey) }
        if !isIdentity, keys.isUnique(field) { row.marks.append(.uniqueKey) }
        return row
    }

    /// The fields by which records of an entity are told apart.
    private struct EntityKeys {
        /// The fields that make its id.
        private(set) var identity: Set<String> = []
        private var unique: Set<String> = []

        /// The keys of a declaration; none where it is no entity.
        init(_ declaration: Declaration, _ scope: SchemaScope) {
            guard case .entity(let entity) = declaration else { return }
            identity = Set(scope.identityFields(of: entity).map(\.name.value))
            if identity.count == 1 { unique = identity }
            for index in entity.indexes where index.unique && index.condition == nil {
                if index.keys.count == 1 { unique.insert(index.keys[0].field.value) }
            }
        }

        /// Whether no two records share a value of the field.
        func isUnique(_ field: FieldDeclaration) -> Bool {
            field.unique?.value == true || unique.contains(field.name.value)
        }
    }

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

    /// Goes on with the fields of a value or a union that has no box.
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

    /// How many links lead out of a part that has no box, by all ways through it; each part is
    /// counted once.
    private mutating func countLinks(of name: String) -> Int {
        // Without recursion: a chain of values may be as long as the schema. Values never hold
        // themselves, so this ends.
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

    private func partNames(in part: Declaration) -> [String] {
        members(of: part).filter(\.isField).compactMap(\.type.innermostName)
    }

    /// Adds one link to each box that the fields inside a part lead to.
    private mutating func followTogether(_ name: String, _ step: Step) {
        /// A part and how it was reached: four states at most for each.
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

    private mutating func add(_ step: Step, to target: Int) {
        let kind = boxes[target].kind
        let one: EntityDiagram.Cardinality = step.isOptional ? .zeroOrOne : .one
        // A part belongs to the one record that it stands in.
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
    /// Whether a list or a map is among its layers.
    fileprivate var holdsMany: Bool {
        switch self {
        case .base, .named: false
        case .optional(let wrapped): wrapped.holdsMany
        case .list, .map: true
        }
    }
}
