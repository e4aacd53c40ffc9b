/// The page of a documentation catalog that shows the folders of its modules.
struct ArchitecturePage {
    /// The whole page in Markdown.
    private(set) var text = ""
    /// The pictures of the page, by the names of their files.
    private(set) var pictures: [String: String] = [:]

    /// Makes a page.
    ///
    /// - Parameters:
    ///   - modules: the modules, in order.
    ///   - files: the sources.
    init(_ modules: [String], _ files: [SourceFile]) {
        text = """
            # Architecture

            The folders of the sources, what each holds, and which others it uses.

            ## Overview

            The folders of a module depend on each other in one direction. A test reads the sources and fails where a
            folder uses a type of one that depends on it. In a picture, each folder stands right of those that it uses; an
            arrow is left out where others lead to the same folder. `make record` writes this page.

            """
        for module in modules {
            let name = "folders-\(module)"
            text += "\n## \(module)\n\n"
            text += "![The folders of \(module) and their dependencies](\(name))\n\n"
            text += Self.table(of: FolderGraph(module, files))
            pictures["\(name).svg"] = FolderDrawing(FolderGraph(module, files, depth: 1)).svg
        }
    }

    private static func table(of graph: FolderGraph) -> String {
        let sentences = FolderContents.sentences[graph.module] ?? [:]
        let rows = graph.folders.map { folder in
            let name = folder.isEmpty ? "files beside the folders" : "`\(folder)`"
            let targets = graph.targets(of: folder).map { $0.isEmpty ? "files beside" : "`\($0)`" }
            return "| \(name) | \(sentences[folder] ?? "") | \(targets.joined(separator: ", ")) |\n"
        }
        return "| folder | holds | uses |\n|---|---|---|\n" + rows.joined()
    }
}
