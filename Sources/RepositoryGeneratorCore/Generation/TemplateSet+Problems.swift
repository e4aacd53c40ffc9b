public import RepositorySchema

extension TemplateSet {
    /// Returns an error for each template output whose file name is already taken. An empty array
    /// means that the templates can be rendered for the set.
    ///
    /// Swift files collide if they have the same name, even in different folders. Other files
    /// collide if they have the same path.
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

    /// The key under which two files of one module collide. The compiler rejects two Swift files of
    /// the same name, even in different folders. Some file systems do not distinguish names that
    /// differ only in case.
    private static func key(_ path: String) -> String {
        let name = path.hasSuffix(".swift") ? path.split(separator: "/").last.map(String.init) : nil
        return (name ?? path).lowercased()
    }
}
