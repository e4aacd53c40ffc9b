// A program that the tests start several times at once, to see what processes do to each other.
//
// It waits for a line on its input, so that all start together, and then does what its arguments say:
//
//   create <folder> <id> <value>      creates one file record
//   defaults <suite> <name> <count>   creates records of its own and adds to one that all share

import Foundation
import RepositoryRuntime

/// Does it, and says in one line what happened: `won`, `lost` or a number.
func run(_ arguments: [String]) async throws -> String {
    guard arguments.count == 5 else { return "usage" }
    switch arguments[1] {
    case "create":
        let repository = FileSystemRepository(
            directoryURL: URL(fileURLWithPath: arguments[2]), dataTransformer: JSONDataTransformer()
        )
        do {
            try await repository.create(id: arguments[3], item: arguments[4])
            return "won"
        } catch let error as CRUDRepositoryError where error.code == .recordAlreadyExists {
            return "lost"
        }
    case "defaults":
        let repository = UserDefaultsRepository(
            tableName: "shared", suiteName: arguments[2], dataTransformer: JSONDataTransformer())
        var won = 0
        for number in 0..<(Int(arguments[4]) ?? 0) {
            try await repository.create(id: "\(arguments[3])-\(number)", item: number)
            do {
                try await repository.create(id: "common-\(number)", item: arguments[3])
                won += 1
            } catch let error as CRUDRepositoryError where error.code == .recordAlreadyExists {
                try await repository.update(id: "\(arguments[3])-\(number)", item: -number)
            }
        }
        return "\(won)"
    default:
        return "usage"
    }
}

_ = readLine()
do {
    print(try await run(CommandLine.arguments))
} catch {
    print("failed: \(error)")
}
