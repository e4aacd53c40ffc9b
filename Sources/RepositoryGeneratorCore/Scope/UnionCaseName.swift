internal import RepositorySchema

/// The name of the generated type that holds the fields of a union case.
struct UnionCaseName {
    let text: String

    init(_ union: UnionDeclaration, _ item: UnionCaseDeclaration) {
        text = union.header.name.value + item.name.value.capitalizedFirst + "Case"
    }
}
