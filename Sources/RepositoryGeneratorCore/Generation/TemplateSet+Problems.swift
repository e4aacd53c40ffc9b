public import RepositorySchema

extension TemplateSet {
    /// What keeps the templates from making files for a set: two files of one name.
    public func problems(with set: SchemaSet) -> [Diagnostic] {
        guard !added.isEmpty else { return [] }
        var diagnostics: [Diagnostic] = []
        var taken: [String: String] = [:]
        let fixed = set.files.map { RepositoryGenerator.outputPath(of: $0) }
        for path in fixed + [RepositoryGenerator.setPath(of: set)] {
            taken[Self.key(path)] = path
        }
        for (path, template) in AddedFiles.paths(of: self, in: set) {
            if let other = taken[Self.key(path)], let place = places[template.name] {
                diagnostics.append(
                    Diagnostic(
                        "the file '\(path)' would have the name of '\(other)'", at: place,
                        help: "rename the template", rule: .template))
            }
            taken[Self.key(path)] = path
        }
        return diagnostics
    }

    /// Two files of one key cannot stand in one module: the compiler refuses twins in several folders, and some file
    /// systems those that differ by case.
    private static func key(_ path: String) -> String {
        let name = path.hasSuffix(".swift") ? path.split(separator: "/").last.map(String.init) : nil
        return (name ?? path).lowercased()
    }
}
