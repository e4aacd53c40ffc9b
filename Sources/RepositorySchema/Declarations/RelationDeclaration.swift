/// An entry of `relations`: how other records belong to those of an entity.
public struct RelationDeclaration: Sendable, Hashable {
    /// The relation's name, which is that of its loader.
    public var name: Located<String>
    /// `doc`
    public var doc: String?
    /// `of`: the entity that is loaded.
    public var target: Located<String>
    /// `by`: the field that refers to the entity which has the relation.
    public var field: Located<String>?
    /// `through`: the entity that refers to both.
    public var join: Located<String>?
    /// `sort`: fields of what is loaded.
    public var sort: [SortKey] = []
    /// `limit`: the most records for each parent.
    public var limit: Located<Int>?
    /// `deprecated`: the message, empty when it was just `true`.
    public var deprecated: Located<String>?

    /// Makes a relation; everything else is set afterwards.
    public init(name: Located<String>, target: Located<String>) {
        self.name = name
        self.target = target
    }
}
