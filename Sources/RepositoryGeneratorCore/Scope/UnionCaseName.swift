internal import RepositorySchema

/// The name of the generated type that holds the fields of a union case.
///
/// For example, the case `photo` of the union `Attachment` has the type `AttachmentPhotoCase`.
struct UnionCaseName {
    let text: String

    /// Composes the name from those of the union and the case.
    init(_ union: UnionDeclaration, _ item: UnionCaseDeclaration) {
        text = union.header.name.value + item.name.value.capitalizedFirst + "Case"
    }
}
