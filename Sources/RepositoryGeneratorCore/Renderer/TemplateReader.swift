internal import Mustache
internal import RepositorySchema
internal import Templates

/// Reads the templates of the user one by one, and collects what is wrong with them.
struct TemplateReader {
    private(set) var library: MustacheLibrary
    private(set) var added: [AddedTemplate] = []
    private(set) var places: [String: SourceRange] = [:]
    private(set) var diagnostics: [Diagnostic] = []
    /// The tags of the user's templates by name.
    private var tags: [String: [TemplateTag]] = [:]
    private let builtIn = BuiltInTemplate.all.map(\.name)

    /// The names of the built-in templates that no other takes the place of.
    var builtInNames: Set<String> { Set(builtIn).subtracting(tags.keys) }

    init(library: MustacheLibrary) {
        self.library = library
    }

    /// Reads one template.
    mutating func read(_ source: TemplateSource) {
        let start = SourceRange(path: source.displayPath, start: .start, end: .start)
        guard source.bytes.count <= TemplateSource.mostBytes else {
            return add("the template has more than 1 MiB", at: start)
        }
        // Git may have converted the line ends; the output has those of the generator.
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
            // The pragma is a line of its own.
            let position = SourcePosition(
                line: max(1, error.context.lineNumber - 1), column: error.context.columnNumber)
            add(
                Self.words(error.error),
                at: SourceRange(path: source.displayPath, start: position, end: position))
        } catch {
            add("\(error)", at: SourceRange(path: source.displayPath, start: .start, end: .start))
        }
    }

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

    private mutating func add(_ message: String, at range: SourceRange, help: String? = nil) {
        diagnostics.append(Diagnostic(message, at: range, help: help, rule: .template))
    }

    /// Names that no layer and no part of the model has are empty texts: surely nobody means them.
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

    /// What a name, whose first part is given, asks for and nothing is called, with what there is; nil where all is well.
    private static func unknown(
        _ first: String, in name: Substring
    ) -> (name: String, known: Set<String>)? {
        guard ContextKeys.all.contains(first) else { return (first, ContextKeys.all) }
        let types = OutputNames.types
        guard first == "types", name != "types", !types.contains(String(name.dropFirst(6)))
        else { return nil }
        return (String(name), Set(types.map { "types." + $0 }))
    }

    /// Checks that what is included is there and does not include itself.
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
        addBuiltIn(to: &graph)
        for circle in graph.circles() {
            guard let first = circle.first(where: { !$0.label.range.path.isEmpty }) else {
                continue
            }
            add("the template includes itself", at: first.label.range, help: "remove the tag")
        }
    }

    /// The inclusions of the built-in templates that are still in use, which have no place.
    private func addBuiltIn(to graph: inout DependencyGraph) {
        guard !tags.isEmpty else { return }
        for template in BuiltInTemplate.all where tags[template.name] == nil {
            for tag in TemplateScanner(template.text, path: "").tags where tag.kind == .partial {
                graph.add(from: template.name, to: tag.name, at: Located(tag.name, at: tag.range))
            }
        }
    }
}
