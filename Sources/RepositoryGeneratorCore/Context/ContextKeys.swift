/// The names that templates can use. Template validation reports any other name.
enum ContextKeys {
    /// The names of each layer, without those of the layer that it extends.
    static let layers: [(name: String, keys: [String])] = [
        ("file", FileLayer.members.keys), ("declaration", DeclarationLayer.keys),
        ("entity", EntityLayer.members.ownKeys), ("composite id", CompositeIDLayer.members.keys),
        ("finder", FinderLayer.members.keys), ("relation", RelationLayer.members.keys),
        ("record", RecordLayer.members.keys),
        ("description", DescriptionLayer.members.keys), ("mapper", MapperLayer.members.keys),
        ("table", TableLayer.members.keys), ("enumeration", EnumerationLayer.members.keys),
        ("open enumeration", OpenEnumerationLayer.members.ownKeys),
        ("union", UnionLayer.members.ownKeys),
        ("union case", UnionCaseLayer.members.ownKeys), ("scalar", ScalarLayer.members.keys),
        ("mixin", MixinLayer.members.keys), ("set", SetLayer.members.keys),
        ("versions", VersionsLayer.members.keys),
    ]

    /// The names of each part of the model.
    static let model: [(name: String, keys: [String])] = [
        ("the set", SetModel.facts.keys), ("an entity", EntityContext.keys),
        ("a field", FieldModel.facts.keys), ("an index", EntityModel.indexFacts.keys),
        ("a field of an index", EntityModel.indexFieldFacts.keys),
        ("a value", TypeModel.value.keys), ("a union", TypeModel.union.keys),
        ("a case of a union", TypeModel.unionCase.keys),
        ("an enum", TypeModel.enumeration.keys),
        ("a case of an enum", TypeModel.enumerationCase.keys),
        ("a scalar", TypeModel.scalar.keys),
    ]

    /// All names.
    static let all = Set((layers + model).flatMap(\.keys))
}
