internal import RepositorySchema

/// Finds the boxes of a diagram and how they name each other.
struct DiagramBuilder {
    private let scope: SchemaScope
    private let options: EntityDiagram.Options
    private var indices: [String: Int] = [:]
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
    }

    init(_ set: SchemaSet, _ options: EntityDiagram.Options) {
        scope = SchemaScope(set)
        self.options = options
    }

    mutating func build() {
        for declaration in scope.set.declarations { addBox(declaration) }
        for declaration in scope.set.declarations {
            guard let source = indices[declaration.header.name.value] else { continue }
            for (row, field) in fields(of: declaration).enumerated() {
                let isUnique: Bool =
                    if case .entity(let entity) = declaration {
                        self.isUnique(field, in: entity)
                    } else {
                        false
                    }
                follow(
                    field.type.value,
                    Step(
                        source: source, row: row, path: field.name.value,
                        isOptional: field.type.value.isOptional, isUnique: isUnique))
            }
        }
    }

    private func fields(of declaration: Declaration) -> [FieldDeclaration] {
        switch declaration {
        case .entity(let entity): scope.fields(of: entity)
        case .value(let value): value.fields
        default: []
        }
    }

    private mutating func addBox(_ declaration: Declaration) {
        let header = declaration.header
        var box = EntityDiagram.Box(
            name: header.name.value, kind: .value, doc: header.doc, rows: [])
        switch declaration {
        case .entity(let entity):
            box.kind = .entity
            box.rows = scope.fields(of: entity).map { row(for: $0, in: entity) }
        case .value(let value) where options.showsTypes:
            box.rows = value.fields.map {
                EntityDiagram.Row(name: $0.name.value, type: $0.type.value)
            }
        case .enumeration(let enumeration) where options.showsTypes:
            box.kind = .enumeration
            box.rows = enumeration.cases.map {
                EntityDiagram.Row(name: $0.name.value, type: .base(enumeration.rawType.value))
            }
        default: return
        }
        indices[box.name] = boxes.count
        boxes.append(box)
    }

    private func row(
        for field: FieldDeclaration, in entity: EntityDeclaration
    ) -> EntityDiagram.Row {
        var row = EntityDiagram.Row(name: field.name.value, type: field.type.value)
        let identity = scope.identityFields(of: entity).map(\.name.value)
        let isIdentity = identity.contains(field.name.value)
        if isIdentity { row.marks.append(.primaryKey) }
        if scope.singleReference(field) != nil { row.marks.append(.foreignKey) }
        if !isIdentity, isUnique(field, in: entity) { row.marks.append(.uniqueKey) }
        return row
    }

    /// Whether no two records share a value of the field.
    private func isUnique(_ field: FieldDeclaration, in entity: EntityDeclaration) -> Bool {
        let name = field.name.value
        return field.unique?.value == true
            || scope.identityFields(of: entity).map(\.name.value) == [name]
            || entity.indexes.contains {
                $0.unique && $0.condition == nil && $0.keys.map(\.field.value) == [name]
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
            } else if case .value(let value) = scope.declarations[name] {
                for field in value.fields {
                    var inner = step
                    inner.path += "." + field.name.value
                    inner.isOptional = step.isOptional || field.type.value.isOptional
                    inner.isUnique = false
                    follow(field.type.value, inner)
                }
            }
        }
    }

    private mutating func add(_ step: Step, to target: Int) {
        let kind = boxes[target].kind
        let one: EntityDiagram.Cardinality = step.isOptional ? .zeroOrOne : .one
        // A part belongs to the one record that it stands in.
        let ofPart: EntityDiagram.Cardinality = kind == .value ? .one : .zeroOrMore
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
