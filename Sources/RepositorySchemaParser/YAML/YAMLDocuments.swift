internal import RepositorySchema

/// The documents of one YAML file.
struct YAMLDocuments: Sendable {
    /// The roots of the non-empty documents.
    var roots: [YAMLNode] = []
    /// The errors, in the order of reading.
    var diagnostics: [Diagnostic] = []
    /// Whether reading stopped early, so that documents may be missing.
    var isCutShort = false

    /// Reads the documents of a file.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8, with or without a byte order mark.
    ///   - path: The path shown in diagnostics.
    init(bytes: [UInt8], path: String) {
        guard bytes.count <= YAMLLimits.bytes else {
            stop(
                Diagnostic(
                    "the file is larger than 16 MiB", at: Self.start(of: path),
                    help: "split it into several files"))
            return
        }
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            stop(
                Diagnostic(
                    "the file is UTF-16", at: Self.start(of: path),
                    help: "save the file as UTF-8"))
            return
        }
        bytes.withUnsafeBufferPointer { bytes in
            let marked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
            read(UnsafeBufferPointer(rebasing: bytes[(marked ? 3 : 0)...]), path: path)
        }
    }

    /// Reads all documents. An error ends the reading, but the documents before it are kept.
    private mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, path: String) {
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
        do {
            var composer = YAMLComposer(
                reader: try YAMLEventReader(base, count: bytes.count), bytes: bytes, path: path)
            do {
                while let root = try composer.nextDocument() { roots.append(root) }
                diagnostics += composer.diagnostics
            } catch {
                diagnostics += composer.diagnostics
                stop(error.diagnostic)
            }
        } catch {
            stop(Diagnostic(error.problem, at: Self.start(of: path)))
        }
    }

    /// Adds an error after which the file is not read further.
    private mutating func stop(_ diagnostic: Diagnostic) {
        diagnostics.append(diagnostic)
        isCutShort = true
    }

    private static func start(of path: String) -> SourceRange {
        SourceRange(path: path, start: .start, end: .start)
    }
}
