// A program that the tests start, several times at once, to see what processes do to each other and what is left of the work
// of one that is killed.
//
// It waits for a line on its input, so that all start together, and then does what its arguments say:
//
//   create <folder> <id> <value>             creates one file record
//   defaults <suite> <name> <count>          creates records of its own and adds to one that all share
//   ledger <store> <place> <seed> <done>     writes the steps of a ledger until it is killed: see LedgerWriter
//   archive <store> <place> <seed> <first> <done>   writes the steps of an archive until it is killed: see ArchiveWriter
//   batches <store> <place> <count> <size>   creates so many batches of so many records, and
//                                            changes the first one after each
//   race <store> <place> <name> <count> <tasks>   does what several processes may do at once: see Racer
//   sell <store> <place> <tasks>             sells a product that all share: see Seller
//   photos <store> <place> <name> <first>    saves and deletes photos until it is killed: see Photographer
//   entries <store> <place> <name> <first>   writes entries until it is killed: see EntryWriter
//   hold <store> <place> <seconds>           says 'held' in a transaction, and rolls it back later
//   follow <store> <place> <seed>            makes random writes, so many as each line of the input says, and says 'done'
//   pairs <store> <place> <count>            makes so many transactions, each of which leaves two notes alike
//   many <store> <place> <count>             opens and closes so many stores in turn: see ManyStores
//   crowd <store> <place> <count>            keeps so many stores open with few files
//   poor <store> <place> <count>             uses a store while no file can be opened
//   backups <store> <place> <folder>         makes backups in the folder while it writes: see BackupWriter
//   restore <store> <place> <backup>         restores one, and says whether its notes are alike
//   full <store> <place> <folder>            makes a backup on a disk that is full, and says the error
//   migrate <store> <place> <wish> <path>    says 'opening', and opens items of version 1 with a program of version 2: the
//                                            wish is 'plain', 'copy' (of the data to the path), 'aside' (items that a function
//                                            refuses, to the path) or 'wait' (in a function, until the path exists)

import CrashLedger
import Foundation
import RepositoryRuntime
import RepositoryTesting

/// Does it, and says in one line what happened: `won`, `lost`, a number, or as the part of the
/// program says.
func run(_ arguments: [String]) async throws -> String {
    guard arguments.count >= 5 else { return "usage" }
    switch arguments[1] {
    case "create":
        return try await create(in: arguments[2], id: arguments[3], value: arguments[4])
    case "defaults":
        return try await fillDefaults(
            arguments[2], name: arguments[3], count: Int(arguments[4]) ?? 0)
    case "ledger":
        return try await LedgerWriter(arguments.dropFirst(2))?.run() ?? "usage"
    case "archive":
        return try await ArchiveWriter(arguments.dropFirst(2))?.run() ?? "usage"
    case "batches":
        return try await createBatches(Array(arguments.dropFirst(2)))
    case "race":
        return try await Racer(arguments.dropFirst(2))?.run() ?? "usage"
    case "sell":
        return try await Seller(arguments.dropFirst(2))?.run() ?? "usage"
    case "photos":
        return try await Photographer(arguments.dropFirst(2))?.run() ?? "usage"
    case "entries":
        return try await EntryWriter(arguments.dropFirst(2))?.run() ?? "usage"
    case "hold":
        return try await hold(Array(arguments.dropFirst(2)))
    case "follow":
        return try await follow(Array(arguments.dropFirst(2)))
    case "pairs":
        return try await writePairs(Array(arguments.dropFirst(2)))
    case "many":
        return try await ManyStores(arguments.dropFirst(2))?.inTurn() ?? "usage"
    case "crowd":
        return try await ManyStores(arguments.dropFirst(2))?.atOnce() ?? "usage"
    case "poor":
        return try await ManyStores(arguments.dropFirst(2))?.withoutDescriptors() ?? "usage"
    case "backups":
        return try await BackupWriter(arguments.dropFirst(2))?.write() ?? "usage"
    case "restore":
        return try await BackupWriter(arguments.dropFirst(2))?.restore() ?? "usage"
    case "full":
        return try await BackupWriter(arguments.dropFirst(2))?.fullDisk() ?? "usage"
    case "migrate":
        return try await migrateItems(Array(arguments.dropFirst(2)))
    default:
        return "usage"
    }
}

private func create(in folder: String, id: String, value: String) async throws -> String {
    let repository = FileSystemRepository(
        directoryURL: URL(fileURLWithPath: folder), dataTransformer: JSONDataTransformer())
    do {
        try await repository.create(id: id, item: value)
        return "won"
    } catch let error as CRUDRepositoryError where error.code == .recordAlreadyExists {
        return "lost"
    }
}

private func fillDefaults(_ suite: String, name: String, count: Int) async throws -> String {
    let repository = UserDefaultsRepository(
        tableName: "shared", suiteName: suite, dataTransformer: JSONDataTransformer())
    var won = 0
    for number in 0..<count {
        try await repository.create(id: "\(name)-\(number)", item: number)
        do {
            try await repository.create(id: "common-\(number)", item: name)
            won += 1
        } catch let error as CRUDRepositoryError where error.code == .recordAlreadyExists {
            try await repository.update(id: "\(name)-\(number)", item: -number)
        }
    }
    return "\(won)"
}

private func createBatches(_ arguments: [String]) async throws -> String {
    guard arguments.count == 4, let kind = DurableStore(rawValue: arguments[0]),
        let count = Int(arguments[2]), let size = Int(arguments[3])
    else { return "usage" }
    let library = Conformance.ledger(kind.make(at: arguments[1]))
    for batch in 0..<count {
        try await library.notes.createAll(
            (0..<size).map { Note(id: .init("\(batch)-\($0)"), text: "\($0)/\(size)") })
        _ = try await library.notes.saveAll(
            (0..<size).map { Note(id: .init("0-\($0)"), text: "\(batch)", rank: batch + 1) })
    }
    return "\(count)"
}

private func hold(_ arguments: [String]) async throws -> String {
    guard arguments.count == 3, let kind = DurableStore(rawValue: arguments[0]),
        let seconds = Int(arguments[2])
    else { return "usage" }
    let library = Conformance.ledger(kind.make(at: arguments[1]))
    struct Rollback: Error {}
    do {
        try await library.transaction { library in
            try await library.notes.create(Note(id: "held", text: ""))
            print("held")
            fflush(nil)
            try await Task.sleep(for: .seconds(seconds))
            throw Rollback()
        }
    } catch is Rollback {
        return "released"
    }
    return "committed"
}

private func follow(_ arguments: [String]) async throws -> String {
    guard arguments.count == 3, let kind = DurableStore(rawValue: arguments[0]),
        let seed = UInt64(arguments[2])
    else { return "usage" }
    let library = Conformance.ledger(kind.make(at: arguments[1]))
    var random = SeededGenerator(seed: seed)
    while let line = readLine(), let count = Int(line) {
        for _ in 0..<count { try await library.writeRandomly(&random) }
        print("done")
        fflush(nil)
    }
    return "ended"
}

private func migrateItems(_ arguments: [String]) async throws -> String {
    guard arguments.count == 4, let kind = DurableStore(rawValue: arguments[0]) else {
        return "usage"
    }
    let (wish, path) = (arguments[2], arguments[3])
    var control = MigrationControl()
    var hook: MigratedItems.Hook = {}
    switch wish {
    case "copy": control.backup = URL(filePath: path)
    case "aside": control.unreadable = .setAside(URL(filePath: path))
    case "wait": hook = { waitInside(until: path) }
    default: break
    }
    let schema = try MigratedItems.new(refusing: wish == "aside", hook: hook)
    let context = RepositoryContext(store: kind.make(at: arguments[1]), schema: schema)
    print("opening")
    fflush(nil)
    try await context.migrate(control)
    return "done"
}

/// Says 'inside', and waits for a file.
private func waitInside(until path: String) {
    if access(path, F_OK) == 0 { return }
    print("inside")
    fflush(nil)
    while access(path, F_OK) != 0 { usleep(1_000) }
}

private func writePairs(_ arguments: [String]) async throws -> String {
    guard arguments.count == 3, let kind = DurableStore(rawValue: arguments[0]),
        let count = Int(arguments[2])
    else { return "usage" }
    let library = Conformance.ledger(kind.make(at: arguments[1]))
    for number in 1...count {
        try await library.transaction { library in
            for id in ["a", "b"] {
                try await library.notes.update(Note(id: .init(id), text: "\(number)"))
            }
            try await library.notes.create(Note(id: .init("c\(1_000 + number)"), text: ""))
        }
    }
    return "\(count)"
}

_ = readLine()
do {
    print(try await run(CommandLine.arguments))
} catch {
    print("failed: \(error)")
}
