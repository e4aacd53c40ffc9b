/// An entry of `relations`: a one-to-many or many-to-many relation of an entity.
public struct RelationDeclaration: Sendable, Hashable {
    /// The relation's name, which is also that of the generated loader.
    public var name: Located<String>
    /// `doc`
    public var doc: String?
    /// `of`: the related entity.
    public var target: Located<String>
    /// `by`: the field of the related or joining entity that refers to the entity with the
    /// relation.
    public var field: Located<String>?
    /// `through`: the entity that refers to both.
    public var join: Located<String>?
    /// `sort`: fields of the related entity.
    public var sort: [SortKey] = []
    /// `limit`: the maximum number of records per parent.
    public var limit: Located<Int>?
    /// `deprecated`: the message; empty if the value is `true`.
    public var deprecated: Located<String>?

    /// Creates a relation. Set the other properties afterwards.
    public init(name: Located<String>, target: Located<String>) {
        self.name = name
        self.target = target
    }
}
