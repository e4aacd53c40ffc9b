import Foundation
import Hummingbird
import LibraryService
import RepositorySQLite

let environment = ProcessInfo.processInfo.environment
let port = environment["PORT"].flatMap(Int.init) ?? 8080
let store = SQLiteStore(
    path: environment["DATABASE"] ?? "library.sqlite", busyTimeout: .seconds(5),
    writerTimeout: .seconds(5))
let application = libraryApplication(
    store: store, address: .hostname("127.0.0.1", port: port),
    onServerRunning: { port in
        print("listening on port \(port)")
        fflush(nil)
    })
try await application.runService()
