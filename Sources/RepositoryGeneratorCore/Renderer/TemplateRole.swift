internal import ConditionLanguage
internal import RepositorySchema

/// The purpose of a template, as determined by its file name.
///
/// ```
/// entity.mustache                 replaces the built-in template 'entity'
/// _row.mustache                   is included by other templates
/// Mock.entity.swift.mustache      renders 'Book.Mock.generated.swift' for each entity
/// Overview.set.md.mustache        renders 'Library.Overview.generated.md' once
/// ```
enum TemplateRole {
    /// Replaces the built-in template with this name.
    case replacement(String)
    /// A partial that other templates include: `_row.mustache` by `{{> _row}}`.
    case part(String)
    /// Produces additional files.
    case added(AddedTemplate)

    /// Determines the role from a file name.
    ///
    /// - Parameter builtIn: The names of the built-in templates.
    static func of(
        _ source: TemplateSource, builtIn: [String]
    ) -> Result<TemplateRole, TemplateProblem> {
        let parts = source.name.split(separator: ".", omittingEmptySubsequences: false)
            .map(String.init)
        guard source.name.hasSuffix(TemplateSource.suffix) else {
            return .failure(
                TemplateProblem(
                    message: "a template's name ends with '\(TemplateSource.suffix)'",
                    help: "call it '\(parts[0])\(TemplateSource.suffix)'"))
        }
        let stem = Array(parts.dropLast())
        let name = stem.joined(separator: ".")
        if stem.count == 1 {
            if name.hasPrefix("_") { return .success(.part(name)) }
            if builtIn.contains(name) { return .success(.replacement(name)) }
            let nearest = NearestName.of(name, among: builtIn)
            let names = "'\(name).entity.swift.mustache' or '\(name).set.md.mustache'"
            return .failure(
                TemplateProblem(
                    message: "there is no built-in template '\(name)'",
                    help: nearest.map { "did you mean '\($0).mustache'?" }
                        ?? "a template of your own is called such as \(names)"))
        }
        return addition(stem, builtIn: builtIn).map { .added($0) }
    }

    /// Parses the name of a template that adds files: `<label>.<kind>.<extension>`.
    private static func addition(
        _ stem: [String], builtIn: [String]
    ) -> Result<AddedTemplate, TemplateProblem> {
        let name = stem.joined(separator: ".")
        if builtIn.contains(stem[0]), stem.count == 2 {
            return .failure(
                TemplateProblem(
                    message: "the built-in template '\(stem[0])' has no ending before '.mustache'",
                    help: "call it '\(stem[0]).mustache' to take its place"))
        }
        guard stem.count > 2, let kind = AddedTemplate.Kind(rawValue: stem[stem.count - 2]) else {
            let kinds = AddedTemplate.Kind.allCases.map(\.rawValue)
            let word = stem.count > 2 ? stem[stem.count - 2] : ""
            return .failure(
                TemplateProblem(
                    message: word.isEmpty
                        ? "'\(name)' does not say what it is rendered for"
                        : "'\(word)' is no kind of template",
                    help: NearestName.help(for: word, among: kinds, kind: "kinds")))
        }
        let label = stem.dropLast(2).joined(separator: ".")
        let isPlain = label.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
                || "-_.".unicodeScalars.contains($0)
        }
        guard !label.isEmpty, !label.hasPrefix("."), isPlain else {
            return .failure(
                TemplateProblem(
                    message: "'\(label)' cannot be a part of a file's name",
                    help: "use letters and digits of ASCII, '-', '_' and '.'"))
        }
        let ending = stem[stem.count - 1]
        guard let form = CommentForm(ending: ending) else {
            return .failure(
                TemplateProblem(
                    message: "files that end with '.\(ending)' have no comments that are known, "
                        + "and the header of a generated file is one",
                    help: "the endings are: " + CommentForm.endings.joined(separator: ", ")))
        }
        return .success(
            AddedTemplate(name: name, label: label, kind: kind, ending: ending, form: form))
    }
}

/// The reason why a template cannot be used.
struct TemplateProblem: Error {
    /// One sentence without a final full stop.
    var message: String
    /// A suggestion for a fix, if there is one.
    var help: String?
}

/// A template that produces files in addition to the built-in output.
struct AddedTemplate: Sendable, Hashable {
    /// The subject of one rendering.
    enum Kind: String, Sendable, CaseIterable {
        /// Rendered once per entity.
        case entity
        /// Rendered once for the set.
        case set
    }

    /// The file name without `.mustache`.
    var name: String
    /// The part of the file name before the kind.
    var label: String
    /// The subject of a rendering.
    var kind: Kind
    /// The extension of its output files.
    var ending: String
    /// The comment syntax of its output files, for the header.
    var form: CommentForm

    /// Returns the name of the output file for an entity or a set: `Book.Mock.generated.swift`.
    func fileName(for subject: String) -> String {
        "\(subject).\(label)\(OutputFile.mark)\(ending)"
    }
}
