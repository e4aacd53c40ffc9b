import PackagePlugin
@main struct CheckRepositories: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {}
}
