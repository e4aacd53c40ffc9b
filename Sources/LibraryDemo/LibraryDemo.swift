import Foundation
import Generated
import RepositoryRuntime
import RepositorySQLite

/// The program of `make demo`. It runs the same steps on every store and in every format.
@main
struct LibraryDemo {
    static func main() async throws {
        let folder = try DemoFolder()
        print("1. One client, with the four-method protocol, in XML files\n")
        try await FourMethodDemo.printSteps(
            over: FileSystemRepository(
                directoryURL: folder.url.appending(path: "Clients Database"),
                dataTransformer: XMLDataTransformer()))

        print("\n2. The same steps, and an array, on every store and in every format\n")
        let isComplete = try await FormatTable.print(in: folder)

        print("\n3. A library with typed repositories on every store\n")
        for (name, store) in TypedRepositoryDemo.stores(in: folder) {
            try await TypedRepositoryDemo.printSteps(over: store, named: name)
        }

        print("\n4. The library in files moves into SQLite\n")
        try await MoveDemo.printReport(in: folder)

        print("\nThe stored data is here:\n")
        folder.printContents()
        guard isComplete else { exit(1) }
    }
}
