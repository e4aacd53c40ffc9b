import Foundation

/// Builds of the package that is measured, in a folder of their own.
struct MainPackage {
    /// The folder of its manifest.
    let root: String
    /// Where it is built.
    let folder: String

    /// The generator, built if it is not yet.
    func generator(_ configuration: String) throws -> String {
        try build(configuration, "--product", "repository-generator", in: folder)
        return "\(folder)/\(configuration)/repository-generator"
    }

    /// The flags by which the compiler finds the runtime's module, built for debugging, and that of C beneath it.
    func runtimeModules() throws -> [String] {
        try build("debug", "--target", "RepositoryRuntime", in: folder)
        return ["-I", "\(folder)/debug/Modules", "-I", "\(root)/Sources/CFileAccess/include"]
    }

    /// Builds the generator for debugging in a folder that is not there yet; its dependencies are fetched before.
    func buildGeneratorFromClean(in place: String) throws -> Duration {
        try Command(
            "swift", ["package", "--package-path", root, "--scratch-path", place, "resolve"]
        ).run()
        return try build("debug", "--product", "repository-generator", in: place)
    }

    @discardableResult
    private func build(
        _ configuration: String, _ kind: String, _ name: String, in place: String
    ) throws -> Duration {
        try Command(
            "swift",
            [
                "build", "--package-path", root, "--scratch-path", place, "-c", configuration,
                kind, name,
            ]
        ).run()
    }
}
