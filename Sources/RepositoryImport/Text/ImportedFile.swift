/// A schema file of an import.
package struct ImportedFile: Equatable {
    /// The path in the folder of the schemas.
    package let path: String
    /// The text of the file.
    package let text: String
}
