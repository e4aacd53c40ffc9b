import Foundation
import PackagePlugin

/// The command plugin for `swift package generate-repositories [--target T] […]`.
///
/// All arguments except `--target` are passed to `repository-generator generate`.
@main
struct GenerateRepositories: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        var extractor = ArgumentExtractor(arguments)
        let folders = try extractor.extractOption(named: "target").map { name in
            (folder: try Self.folder(of: name, in: context.package), module: name)
        }
        try Self.run(
            context.tool(named: "repository-generator").url, in: context.package.directoryURL,
            folders: folders, extractor.remainingArguments)
    }

    /// The folder of a target.
    ///
    /// SwiftPM does not know a target without sources, whose first ones are still to be generated: its folder has the
    /// usual place.
    private static func folder(of name: String, in package: Package) throws -> URL {
        if let target = package.targets.first(where: { $0.name == name }) {
            return target.directoryURL
        }
        let folder = package.directoryURL.appending(path: "Sources/\(name)")
        let schemas = folder.appending(path: "Schemas").path
        guard FileManager.default.fileExists(atPath: schemas) else {
            // Throws the error that names the target.
            return try package.targets(named: [name]).first?.directoryURL ?? folder
        }
        return folder
    }

    /// Runs the tool once per target.
    ///
    /// - Parameters:
    ///   - tool: the executable `repository-generator`.
    ///   - package: the folder of the package or project, in which the tool runs.
    ///   - folders: the folder and the module name of each target. If there are none, the folder
    ///     `Schemas` of the package is used.
    ///   - arguments: further arguments for the tool.
    static func run(
        _ tool: URL, in package: URL, folders: [(folder: URL, module: String)],
        _ arguments: [String]
    ) throws {
        var runs = folders.map { target in
            let schemas = target.folder.appending(path: "Schemas").path
            let inside = schemas.hasPrefix(package.path + "/") ? package.path.count + 1 : 0
            return ["--schemas", String(schemas.dropFirst(inside)), "--module", target.module]
        }
        if runs.isEmpty { runs = [["--schemas", "Schemas"]] }
        if arguments.contains("--watch") {
            // SwiftPM locks the package until the command ends, and the child process may outlive it.
            let words = ([tool.path, "generate"] + runs[0] + arguments).map { "'\($0)'" }
            Diagnostics.error("to watch, run the tool itself: \(words.joined(separator: " "))")
            return
        }
        for run in runs {
            let process = Process()
            process.executableURL = tool
            process.currentDirectoryURL = package
            process.arguments = ["generate"] + run + arguments
            try process.run()
            process.waitUntilExit()
            if process.terminationReason != .exit || process.terminationStatus != 0 {
                Diagnostics.error("the repositories of \(run[1]) were not generated")
            }
        }
    }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    /// In an Xcode project, the folder of a target has the target's name and is next to the
    /// project.
    extension GenerateRepositories: XcodeCommandPlugin {
        func performCommand(context: XcodePluginContext, arguments: [String]) throws {
            var extractor = ArgumentExtractor(arguments)
            let project = context.xcodeProject.directoryURL
            let folders = extractor.extractOption(named: "target").map { name in
                (folder: project.appending(path: name), module: name)
            }
            try Self.run(
                context.tool(named: "repository-generator").url, in: project, folders: folders,
                extractor.remainingArguments)
        }
    }
#endif
