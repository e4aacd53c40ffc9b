public import RepositorySchema

/// An entity-relationship diagram of a set: what every form of it shows.
///
/// Boxes stand in the order of the declarations, rows and links in the order of the fields, so that the
/// same set gives the same bytes.
public struct EntityDiagram: Sendable, Hashable {
    /// What a box stands for.
    enum Kind: String, Sendable, Hashable {
        case entity, value, union, enumeration = "enum"
    }

    /// What a diagram shows besides the entities.
    public struct Options: Sendable, Hashable {
        /// Whether values and enums have boxes of their own.
        public var showsTypes: Bool

        /// Makes options; only entities have boxes unless said otherwise.
        public init(showsTypes: Bool = false) {
            self.showsTypes = showsTypes
        }
    }

    /// What a field is a part of.
    enum Mark: String, Sendable, Hashable {
        case primaryKey = "PK"
        case foreignKey = "FK"
        case uniqueKey = "UK"
    }

    /// A field of an entity or value, a case of an enum, or a field of a case of a union.
    struct Row: Sendable, Hashable {
        var name: String
        var type: TypeExpression
        var marks: [Mark] = []
    }

    /// A declared type.
    struct Box: Sendable, Hashable {
        var name: String
        var kind: Kind
        var doc: String?
        var rows: [Row]
    }

    /// How many records stand at an end of a link.
    enum Cardinality: Sendable, Hashable {
        case one
        case zeroOrOne
        case zeroOrMore
    }

    /// A field that names another box.
    struct Link: Sendable, Hashable {
        /// The box whose field it is, and the field's row there.
        var source: Int
        var row: Int
        /// The box that is named.
        var target: Int
        /// The field, after those of the values that it stands in: `shelf.library`.
        var name: String
        /// How many records name one.
        var sourceCount: Cardinality
        /// How many are named by one record.
        var targetCount: Cardinality
        /// Whether it names records of their own, or a part of this one.
        var isReference: Bool
    }

    /// The name of the set.
    let name: String
    let boxes: [Box]
    let links: [Link]

    /// Makes the diagram of a set without errors.
    public init(_ set: SchemaSet, options: Options = Options()) {
        var builder = DiagramBuilder(set, options)
        builder.build()
        name = set.settings.name
        boxes = builder.boxes
        links = builder.links
    }

    /// Makes a diagram of anything else that has boxes and links: the layout can then be used for it.
    init(name: String, boxes: [Box], links: [Link]) {
        self.name = name
        self.boxes = boxes
        self.links = links
    }
}
