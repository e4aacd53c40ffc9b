internal import ConditionLanguage
internal import Mustache
internal import RepositorySchema
internal import Templates

/// Parses the user's templates, registers them with the library, and collects diagnostics.
///
/// Call ``read(_:)`` for each template, then ``checkPartials()`` once: inclusions can refer to
/// templates that are read later.
struct TemplateReader {
    /// The built-in templates and the user's templates that were read.
    private(set) var library: MustacheLibrary
    /// The templates that add files.
    private(set) var added: [AddedTemplate] = []
    /// The start of each such template, for diagnostics about its output files.
    private(set) var places: [String: SourceRange] = [:]
    /// The errors and warnings, in the order in which they were found.
    private(set) var diagnostics: [Diagnostic] = []
    /// The tags of the user's templates, by template name.
    private var tags: [String: [TemplateTag]] = [:]
    /// The names of all built-in templates.
    private let builtIn = BuiltInTemplate.all.map(\.name)

    /// The names of the built-in templates that no user template replaces.
    var builtInNames: Set<String> { Set(builtIn).subtracting(tags.keys) }

    /// Creates a reader.
    ///
    /// - Parameter library: The library with the built-in templates.
    init(library: MustacheLibrary) {
        self.library = library
    }

    /// Reads one template: checks its size and encoding, determines its role from the file name,
    /// and registers it.
    mutating func read(_ source: TemplateSource) {
        let start = SourceRange(path: source.displayPath, start: .start, end: .start)
        guard source.bytes.count <= TemplateSource.mostBytes else {
            return add("the template has more than 1 MiB", at: start)
        }
        // Git may have converted the line endings. The output uses those of the generator.
        let bytes = LineEnding.normalized(source.bytes)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return add("the template is not UTF-8", at: start)
        }
        switch TemplateRole.of(source, builtIn: builtIn) {
        case .failure(let problem): add(problem.message, at: start, help: problem.help)
        case .success(.replacement(let name)), .success(.part(let name)):
            register(text, name, escaping: .none, source)
        case .success(.added(let template)):
            added.append(template)
            places[template.name] = start
            register(text, template.name, escaping: Escaping(ending: template.ending), source)
        }
    }

    /// Scans the tags and, if the scan found no errors, registers the template with the engine.
    /// Only templates that add files escape values.
    private mutating func register(
        _ text: String, _ name: String, escaping: Escaping, _ source: TemplateSource
    ) {
        let scanner = TemplateScanner(text, path: source.displayPath)
        tags[name] = scanner.tags
        diagnostics += scanner.diagnostics
        guard scanner.diagnostics.isEmpty else { return }
        lookForUnknownNames(scanner.tags)
        do {
            try library.register(escaping.pragma + text, named: name)
        } catch let error as MustacheTemplate.ParserError {
            // The pragma occupies the first line, so the engine's line numbers are one too high.
            let position = SourcePosition(
                line: max(1, error.context.lineNumber - 1), column: error.context.columnNumber)
            add(
                Self.words(error.error),
                at: SourceRange(path: source.displayPath, start: position, end: position))
        } catch {
            add("\(error)", at: SourceRange(path: source.displayPath, start: .start, end: .start))
        }
    }

    /// The message for a parser error of the engine.
    private static func words(_ error: any Error) -> String {
        switch error as? MustacheTemplate.Error {
        case .unfinishedName: "a name holds letters, digits, '.', '-', '_' and '?' only"
        case .illegalTokenInsideInheritSection, .textInsideInheritSection:
            "only blocks stand inside '{{<…}}'"
        case .invalidConfigVariableSyntax, .unrecognisedConfigVariable:
            "'{{% CONTENT_TYPE: … }}' is HTML, TEXT, MARKDOWN or SWIFT"
        case .transformAppliedToInheritanceSection: "a block has a plain name"
        case .invalidSetDelimiter: "a tag that sets delimiters names two: '{{=<% %>=}}'"
        case .sectionCloseNameIncorrect, .expectedSectionEnd: "a section is not closed"
        case nil: "\(error)"
        }
    }

    /// Adds an error.
    private mutating func add(_ message: String, at range: SourceRange, help: String? = nil) {
        diagnostics.append(Diagnostic(message, at: range, help: help, rule: .template))
    }

    /// Warns about names that no layer and no part of the model has. The engine renders them as
    /// empty strings, which is never intended.
    private mutating func lookForUnknownNames(_ tags: [TemplateTag]) {
        for tag in tags {
            guard [.variable, .section, .inverted].contains(tag.kind),
                let name = tag.name.split(separator: "(").last?.prefix(while: { $0 != ")" }),
                let first = name.split(separator: ".").first.map(String.init),
                let (unknown, known) = Self.unknown(first, in: name)
            else { continue }
            diagnostics.append(
                Diagnostic(
                    "nothing is called '\(unknown)': it is empty everywhere", at: tag.range,
                    help: NearestName.of(unknown, among: known.sorted())
                        .map { "did you mean '\($0)'?" }
                        ?? "'generate --dump-context' prints all names",
                    severity: .warning, rule: .unknownName))
        }
    }

    /// Returns the unknown part of a name and the valid alternatives, or nil if the name is valid.
    /// `first` is the part before the first dot.
    private static func unknown(
        _ first: String, in name: Substring
    ) -> (name: String, known: Set<String>)? {
        guard ContextKeys.all.contains(first) else { return (first, ContextKeys.all) }
        let types = OutputNames.types
        guard first == "types", name != "types", !types.contains(String(name.dropFirst(6)))
        else { return nil }
        return (String(name), Set(types.map { "types." + $0 }))
    }

    /// Checks that every included template exists and that no template includes itself, directly or
    /// through others.
    ///
    /// - A name that starts with `*` is a dynamic inclusion, which is not supported.
    /// - A name that is not a template is reported with the nearest name.
    mutating func checkPartials() {
        var graph = DependencyGraph()
        let known = Set(builtIn).union(tags.keys)
        for name in tags.keys.sorted() {
            for tag in tags[name] ?? [] where tag.kind == .partial || tag.kind == .parent {
                guard !tag.name.hasPrefix("*") else {
                    add("a template is included by its name, not by that of a value", at: tag.range)
                    continue
                }
                guard known.contains(tag.name) else {
                    add(
                        "there is no template '\(tag.name)'", at: tag.range,
                        help: NearestName.of(tag.name, among: known.sorted()).map {
                            "did you mean '\($0)'?"
                        } ?? "parts of your own are files such as '_\(tag.name).mustache'")
                    continue
                }
                graph.add(from: name, to: tag.name, at: Located(tag.name, at: tag.range))
            }
        }
        // A cycle can pass through built-in templates, so their inclusions are part of the graph.
        addBuiltIn(to: &graph)
        for circle in graph.circles() {
            guard let first = circle.first(where: { !$0.label.range.path.isEmpty }) else {
                continue
            }
            add("the template includes itself", at: first.label.range, help: "remove the tag")
        }
    }

    /// Adds the inclusions of the built-in templates that are not replaced. They have an empty
    /// path, so that diagnostics are reported in user templates only.
    private func addBuiltIn(to graph: inout DependencyGraph) {
        guard !tags.isEmpty else { return }
        for template in BuiltInTemplate.all where tags[template.name] == nil {
            for tag in TemplateScanner(template.text, path: "").tags where tag.kind == .partial {
                graph.add(from: template.name, to: tag.name, at: Located(tag.name, at: tag.range))
            }
        }
    }
}
