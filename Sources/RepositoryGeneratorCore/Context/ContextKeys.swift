/// The names that templates can ask for.
enum ContextKeys {
    /// The names of each layer, by the layer, without those of the layer that it holds.
    static let layers: [(name: String, keys: [String])] = [
        ("file", FileLayer.keys), ("declaration", DeclarationLayer.keys),
        ("entity", EntityLayer.ownKeys), ("composite id", CompositeIDLayer.keys),
        ("finder", FinderLayer.keys), ("relation", RelationLayer.keys),
        ("record", RecordLayer.keys),
        ("description", DescriptionLayer.keys), ("mapper", MapperLayer.keys),
        ("table", TableLayer.keys), ("enumeration", EnumerationLayer.keys),
        ("open enumeration", OpenEnumerationLayer.ownKeys), ("union", UnionLayer.ownKeys),
        ("union case", UnionCaseLayer.ownKeys), ("scalar", ScalarLayer.keys),
        ("mixin", MixinLayer.keys), ("set", SetLayer.keys),
    ]

    /// The names of each part of the model, by the part.
    static let model: [(name: String, keys: [String])] = [
        ("the set", SetModel.keys), ("an entity", EntityModel.keys + ["set", "swift", "types"]),
        ("a field", FieldModel.keys), ("an index", EntityModel.indexKeys),
        ("a field of an index", EntityModel.indexFieldKeys),
        ("a value", TypeModel.valueKeys), ("a union", TypeModel.unionKeys),
        ("a case of a union", TypeModel.unionCaseKeys), ("an enum", TypeModel.enumerationKeys),
        ("a case of an enum", TypeModel.enumerationCaseKeys), ("a scalar", TypeModel.scalarKeys),
    ]

    /// All names.
    static let all = Set((layers + model).flatMap(\.keys))
}
