import Foundation
import GRDB

/// A program with GRDB, by the idioms of its documentation.
///
/// - `grdb-file write <file>` makes a database with known records.
/// - `grdb-file copy <from> <to>` reads every record of a database and stores it in a new one: what GRDB understood of what
///   another program wrote, as GRDB writes it.
@main
enum GRDBFile {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count) {
        case ("write", 2):
            try write(.all, to: arguments[1])
        case ("copy", 3):
            try write(try read(arguments[1]), to: arguments[2])
        default:
            print("usage: grdb-file write <file> | copy <from> <to>")
            exit(64)
        }
    }

    private static func read(_ path: String) throws -> Samples {
        let queue = try DatabaseQueue(path: path)
        return try queue.read { database in
            guard try Migrations.all.hasCompletedMigrations(database) else {
                throw DatabaseError(
                    message: "the migrations of \(path) are not those of this program")
            }
            return Samples(
                observers: try Observer.fetchAll(database), cameras: try Camera.fetchAll(database),
                sightings: try Sighting.order(Column("id")).fetchAll(database))
        }
    }

    private static func write(_ samples: Samples, to path: String) throws {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw DatabaseError(message: "\(path) is there already")
        }
        let queue = try DatabaseQueue(path: path)
        try Migrations.all.migrate(queue)
        try queue.write { database in
            for observer in samples.observers { try observer.insert(database) }
            for camera in samples.cameras { try camera.insert(database) }
            for var sighting in samples.sightings { try sighting.insert(database) }
        }
        try queue.vacuum()
    }
}
