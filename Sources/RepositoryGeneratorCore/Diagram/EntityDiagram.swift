public import RepositorySchema

/// An entity-relationship diagram of a set, independent of the output format.
///
/// Boxes are in the order of the declarations, rows and links in the order of the fields. The same
/// set always produces the same output.
public struct EntityDiagram: Sendable, Hashable {
    /// The kind of declaration that a box represents.
    enum Kind: String, Sendable, Hashable {
        case entity, value, union, enumeration = "enum"
    }

    /// The parts of a diagram in addition to the entities.
    public struct Options: Sendable, Hashable {
        /// Whether values, unions and enums have boxes.
        public var showsTypes: Bool

        /// Creates options. By default, only entities have boxes.
        public init(showsTypes: Bool = false) {
            self.showsTypes = showsTypes
        }
    }

    /// The key that a field is part of.
    enum Mark: String, Sendable, Hashable {
        case primaryKey = "PK"
        case foreignKey = "FK"
        case uniqueKey = "UK"
    }

    /// A row of a box: a field of an entity or a value, a case of an enum, or a field of a union
    /// case.
    struct Row: Sendable, Hashable {
        /// The name of the field or case.
        var name: String
        /// The type of the field.
        var type: TypeExpression
        /// The keys that the field is part of.
        var marks: [Mark] = []
    }

    /// A declared type.
    struct Box: Sendable, Hashable {
        /// The name of the type.
        var name: String
        var kind: Kind
        /// The documentation in the schema, or nil.
        var doc: String?
        /// The rows in order.
        var rows: [Row]
    }

    /// The number of records at one end of a link.
    enum Cardinality: Sendable, Hashable {
        case one
        case zeroOrOne
        case zeroOrMore
    }

    /// A field that refers to or embeds another box.
    struct Link: Sendable, Hashable {
        /// The index of the box that contains the field, followed by the row of the field in that
        /// box.
        var source: Int
        var row: Int
        /// The index of the other box.
        var target: Int
        /// The path of the field, through embedded values: `shelf.library`.
        var name: String
        /// The number of source records per target record.
        var sourceCount: Cardinality
        /// The number of target records per source record.
        var targetCount: Cardinality
        /// Whether the link is a reference to separate records. False for an embedded value.
        var isReference: Bool
    }

    /// The name of the set.
    let name: String
    /// The declared types with boxes.
    let boxes: [Box]
    /// The links between the boxes.
    let links: [Link]

    /// Creates the diagram of a set without errors.
    public init(_ set: SchemaSet, options: Options = Options()) {
        var builder = DiagramBuilder(set, options)
        builder.build()
        name = set.settings.name
        boxes = builder.boxes
        links = builder.links
    }

    /// Creates a diagram from given boxes and links, for other uses of the layout.
    init(name: String, boxes: [Box], links: [Link]) {
        self.name = name
        self.boxes = boxes
        self.links = links
    }
}
