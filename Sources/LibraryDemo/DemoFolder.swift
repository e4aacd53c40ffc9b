import Foundation

/// The folder with the demo's data: the first command line argument, or `.build/demo`.
///
/// Each run starts with an empty folder.
struct DemoFolder {
    /// The name of the suite that the demo uses in user defaults.
    static let suiteName = "swift-repository-generator.demo"

    /// The location of the folder.
    let url: URL

    /// Creates the folder, and deletes the contents of an existing one.
    init() throws {
        let path = CommandLine.arguments.dropFirst().first ?? ".build/demo"
        url = URL(filePath: path, directoryHint: .isDirectory)
        if FileManager.default.fileExists(atPath: url.path) {
            try FileManager.default.removeItem(at: url)
        }
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Prints the files in the folder and the suite of the user defaults.
    func printContents() {
        print("   \(url.path)")
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: url.path)) ?? []
        for name in names.sorted() where !name.contains("/.") && !name.hasPrefix(".") {
            print("      \(name)")
        }
        print("   user defaults, suite \(Self.suiteName)")
    }
}
