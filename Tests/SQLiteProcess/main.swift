import Foundation
import Generated
import RepositoryRuntime
import RepositorySQLite

// Another process for the tests of RepositorySQLite: opens a library and tries to create the same
// books as its siblings; prints how many it created. Arguments: the file, the number of books, a
// name. With `follow` as the number, it makes as many changes as each line of its input says, and
// says 'done'; the name is a number from which they follow.
let arguments = CommandLine.arguments
if arguments.count == 4, arguments[2] == "follow", var state = UInt64(arguments[3]) {
    let library = Library(SQLiteStore(path: arguments[1], busyTimeout: .seconds(3_600)))
    while let line = readLine(), let count = Int(line) {
        for _ in 0..<count {
            // The generator of Knuth's MMIX.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let number = state >> 33
            let id = Client.ID("client \(number % 8)")
            if number % 3 == 0 {
                try await library.clients.deleteAll(ids: [id])
            } else {
                try await library.clients.save(
                    Client(id: id, name: "name \(number % 5)", email: "\(number % 8)@x"))
            }
        }
        print("done")
        fflush(nil)
    }
    exit(0)
}
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
