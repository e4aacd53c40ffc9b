import Foundation
import Generated
import RepositoryRuntime
import RepositorySQLite

// Another process for the tests of RepositorySQLite: opens a library and tries to create the same
// books as its siblings; prints how many it created. Arguments: the file, the number of books, a
// name.
let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[2]) else {
    FileHandle.standardError.write(Data("usage: sqlite-process <file> <count> <name>\n".utf8))
    exit(2)
}
let library = Library(SQLiteStore(path: arguments[1], busyTimeout: .seconds(3_600)))
var created = 0
for number in 0..<count {
    do {
        try await library.clients.create(
            Client(
                id: Client.ID("client \(number)"), name: arguments[3],
                email: "\(arguments[3])@\(number)"))
        created += 1
    } catch let error as CRUDRepositoryError where error.code == .recordAlreadyExists {
        // A sibling was faster, which is what the test counts.
    }
}
print(created)
