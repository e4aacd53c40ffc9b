import Foundation
import PackagePlugin

/// The command plugin for `swift package import-repositories sqlite:FILE [--target T] […]`.
///
/// All arguments except `--target` are passed to `repository-generator import`.
@main
struct ImportRepositories: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        var extractor = ArgumentExtractor(arguments)
        let targets = try context.package.targets(named: extractor.extractOption(named: "target"))
        try Self.run(
            context.tool(named: "repository-generator").url, in: context.package.directoryURL,
            folders: targets.map { (folder: $0.directoryURL, module: $0.name) },
            extractor.remainingArguments)
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
            return ["import", "--output", String(schemas.dropFirst(inside))] + arguments
        }
        if runs.isEmpty { runs = [["import", "--output", "Schemas"] + arguments] }
        for run in runs {
            let process = Process()
            process.executableURL = tool
            process.currentDirectoryURL = package
            process.arguments = run
            try process.run()
            process.waitUntilExit()
            if process.terminationReason != .exit || process.terminationStatus != 0 {
                Diagnostics.error("the database was not imported")
            }
        }
    }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    /// In an Xcode project, the folder of a target has the target's name and is next to the
    /// project.
    extension ImportRepositories: XcodeCommandPlugin {
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
