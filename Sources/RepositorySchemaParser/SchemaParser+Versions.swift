public import RepositorySchema

extension SchemaParser {
    /// Parses the file of a released version.
    ///
    /// The first document can be one without a kind. It has the decisions of the settings:
    /// `removed`, `reuse` and `migrate`. They become part of the set's settings.
    ///
    /// - Parameter file: The file. Its hash has been checked.
    /// - Returns: The set and the diagnostics.
    public static func parse(
        version file: SchemaSource
    ) -> (set: SchemaSet, diagnostics: [Diagnostic]) {
        let (parsed, decisions) = ParsedFile.version(file)
        var set = SchemaSet(settings: decisions, files: [file.path], declarations: [])
        var diagnostics: [Diagnostic] = []
        parsed.add(to: &set, &diagnostics)
        set.resolveOwnTypes()
        return (set, diagnostics)
    }
}
