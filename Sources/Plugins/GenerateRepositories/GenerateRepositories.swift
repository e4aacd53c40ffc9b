import PackagePlugin
@main struct GenerateRepositories: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {}
}
