/// Which folders of a module use types of which others.
struct FolderGraph {
    /// A use of a type that another folder declares.
    struct Reference: Hashable {
        var path: String
        var line: Int
        var name: String
    }

    /// From one folder to another.
    struct Arrow: Hashable {
        var from: String
        var to: String
    }

    /// The name of the module's folder.
    let module: String
    /// All folders that hold sources, sorted.
    let folders: [String]
    /// The uses behind each arrow, by path and line.
    let arrows: [Arrow: [Reference]]

    /// Makes the graph of one module.
    ///
    /// - Parameters:
    ///   - files: the sources; those of other modules are left out.
    ///   - depth: how many parts of a folder's path count; nil for all.
    init(_ module: String, _ files: [SourceFile], depth: Int? = nil) {
        self.module = module
        let files = files.filter { $0.module == module }
        func folder(_ file: SourceFile) -> String {
            guard let depth else { return file.folder }
            return file.folder.split(separator: "/").prefix(depth).joined(separator: "/")
        }
        let owners = Owners(files, folder)
        folders = Set(files.map(folder)).sorted()
        var arrows: [Arrow: [Reference]] = [:]
        for file in files {
            let from = folder(file)
            var seen: Set<String> = []
            for use in file.uses {
                guard let to = owners.owner(of: use, in: module), to != from,
                    seen.insert(use.name).inserted
                else { continue }
                arrows[Arrow(from: from, to: to), default: []].append(
                    Reference(path: file.path, line: use.line, name: use.name))
            }
        }
        self.arrows = arrows.mapValues {
            $0.sorted { ($0.path, $0.line, $0.name) < ($1.path, $1.line, $1.name) }
        }
    }

    /// The folders that a folder uses, sorted.
    func targets(of folder: String) -> [String] {
        arrows.keys.filter { $0.from == folder }.map(\.to).sorted()
    }
}

/// The folder that declares each type of a module.
private struct Owners {
    private var folders: [String: String] = [:]
    /// By the extended type, the types declared in its extensions.
    private var nested: [String: [String: String]] = [:]

    init(_ files: [SourceFile], _ folder: (SourceFile) -> String) {
        for file in files {
            for name in file.declared { folders[name] = folder(file) }
            for (type, names) in file.declaredInExtensions {
                for name in names { nested[type, default: [:]][name] = folder(file) }
            }
        }
    }

    func owner(of use: SourceFile.Use, in module: String) -> String? {
        guard let qualifier = use.qualifier else {
            return use.context.flatMap { nested[$0]?[use.name] } ?? folders[use.name]
        }
        if qualifier == "Self" { return use.context.flatMap { nested[$0]?[use.name] } }
        return qualifier == module ? folders[use.name] : nested[qualifier]?[use.name]
    }
}
