import Foundation
import PackagePlugin

/// The command plugin for `swift package schema-repositories`.
///
/// All arguments are passed to `repository-generator schema`.
@main
struct SchemaRepositories: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        try Self.run(context.tool(named: "repository-generator").url, arguments)
    }

    /// Runs the tool.
    ///
    /// - Parameters:
    ///   - tool: the executable `repository-generator`.
    ///   - arguments: further arguments for the tool.
    static func run(_ tool: URL, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = tool
        process.arguments = ["schema"] + arguments
        try process.run()
        process.waitUntilExit()
        if process.terminationReason != .exit || process.terminationStatus != 0 {
            Diagnostics.error("the JSON Schema was not printed")
        }
    }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    extension SchemaRepositories: XcodeCommandPlugin {
        func performCommand(context: XcodePluginContext, arguments: [String]) throws {
            try Self.run(context.tool(named: "repository-generator").url, arguments)
        }
    }
#endif
