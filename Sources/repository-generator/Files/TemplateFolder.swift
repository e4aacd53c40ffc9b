internal import Foundation
internal import RepositoryGeneratorCore
internal import RepositorySchema

/// Reads the templates in a folder.
struct TemplateFolder {
    /// The template files, sorted by name. Empty if there is no template folder.
    private let sources: [TemplateSource]

    /// Reads the folder that the command line or the settings name, if there is one.
    ///
    /// A file is a template if its name ends with `.mustache`, or if it is the name of a built-in
    /// template with a misspelled ending, which is then reported. Folders, hidden files and other
    /// files are ignored.
    ///
    /// - Throws: ``FileProblem``
    init(for settings: SchemaSettings, _ locations: Locations) throws {
        let named = settings.templates.map { locations.besideSchemas($0) }
        guard let folder = locations.templates ?? named else {
            sources = []
            return
        }
        // If the settings name a missing folder, the error is located at their line.
        let place = locations.templates == nil ? settings.templatesRange : nil
        guard FileStatus(of: folder) != .absent else {
            throw FileProblem(
                path: place.map { "\($0.path):\($0.start.line):\($0.start.column)" } ?? folder,
                reason: "there is no folder '\(folder)' of templates")
        }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            throw FileProblem(
                path: folder, reason: "cannot be listed: \(error.localizedDescription)")
        }
        sources = try names.filter(Self.isTemplate).compactMap { name in
            let path = Locations.path(folder, name)
            guard FileStatus(of: path) == .file else {
                throw FileProblem(path: path, reason: "is no file, and a template is one")
            }
            let bytes = try BoundedFile.bytes(at: path, limit: TemplateSource.mostBytes)
            return TemplateSource(name: name, bytes: bytes, displayPath: path)
        }
    }

    /// Returns whether a file name is that of a template.
    private static func isTemplate(_ name: String) -> Bool {
        !name.hasPrefix(".")
            && (name.hasSuffix(TemplateSource.suffix) || TemplateSource.isNearlyBuiltIn(name))
    }

    /// The bytes of the templates by path, for diagnostics.
    var texts: [(path: String, bytes: [UInt8])] { sources.map { ($0.displayPath, $0.bytes) } }

    /// Parses the templates.
    ///
    /// - Returns: the templates, or `nil` if there are only built-in ones, and the diagnostics of
    ///   the templates.
    func templates(
        warningsAreErrors: Bool
    ) throws -> (templates: TemplateSet?, diagnostics: [Diagnostic]) {
        guard !sources.isEmpty else { return (nil, []) }
        let (templates, found) = try TemplateSet.read(sources)
        return (templates, warningsAreErrors ? found.map(\.asError) : found)
    }
}
