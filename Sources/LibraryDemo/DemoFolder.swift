import Foundation

/// Where the demo keeps its data: a new folder in each run, named on the command line or `.build/demo`.
struct DemoFolder {
    /// The suite of the demo's user defaults.
    static let suiteName = "swift-repository-generator.demo"

    /// The folder.
    let url: URL

    /// Makes the folder, empty.
    init() throws {
        let path = CommandLine.arguments.dropFirst().first ?? ".build/demo"
        url = URL(filePath: path, directoryHint: .isDirectory)
        if FileManager.default.fileExists(atPath: url.path) {
            try FileManager.default.removeItem(at: url)
        }
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Prints what lies in the folder, and where the user defaults are.
    func printContents() {
        print("   \(url.path)")
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: url.path)) ?? []
        for name in names.sorted() where !name.contains("/.") && !name.hasPrefix(".") {
            print("      \(name)")
        }
        print("   user defaults of the suite \(Self.suiteName)")
    }
}
