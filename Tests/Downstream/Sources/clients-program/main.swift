// Its lines are those of the documentation.
// swift-format-ignore-file
import Foundation
import RepositoryRuntime
import RepositorySQLite

/// An item as an app has it that never saw a schema.
struct Client: Codable, Sendable {
    var name: String
    var visits: Int
    var tags: [String]
}

let clientOne = Client(name: "Ada Lovelace", visits: 1, tags: ["first"])

/// The program: it names no store and no format.
func run(_ repository: some CRUDRepository) async throws {
    try await repository.create(id: "client", item: clientOne)
    var record: Client = try await repository.read(id: "client")
    print("read", record.name, record.visits, record.tags)
    record.visits += 1
    try await repository.update(id: "client", item: record)
    record = try await repository.read(id: "client")
    print("read", record.name, record.visits, record.tags)
    try await repository.delete(id: "client")
    do {
        record = try await repository.read(id: "client")
    } catch let error as CRUDRepositoryError {
        print(error.code, "-", error.localizedDescription)
    }
}

do {
    let repository = FileSystemRepository(directoryName: "Clients Database", dataTransformer: XMLDataTransformer())
    try await run(repository)
}
do {
    let repository = FileSystemRepository(directoryName: "Clients Database", dataTransformer: JSONDataTransformer())
    try await run(repository)
}
do {
    let repository = UserDefaultsRepository(tableName: "Clients Database", dataTransformer: XMLDataTransformer())
    try await run(repository)
}
do {
    let repository = UserDefaultsRepository(tableName: "Clients Database", dataTransformer: JSONDataTransformer())
    try await run(repository)
}
do {
    let repository = SQLiteRepository(tableName: "Clients Database", dataTransformer: XMLDataTransformer())
    try await run(repository)
}
do {
    let repository = SQLiteRepository(tableName: "Clients Database", dataTransformer: JSONDataTransformer())
    try await run(repository)
}
