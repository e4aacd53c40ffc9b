import Foundation
import RepositoryRuntime

/// The phases over one store of books, in their order.
enum ScalePhase: String, CaseIterable {
    case insert
    case read = "read by id"
    case rawRead = "the same by the C API"
    case fileRead = "read by system calls"
    case query = "query by index"
    case stream
    case fileStream = "stream by system calls"
    case memory = "memory that the stream takes"
    case create = "durable create"
    case fileCreate = "durable create by system calls"
    case scattered = "insert 10,000 all over the index"
    case open = "open and query by index"

    var unit: Workload.Unit { self == .memory ? .megabytes : .microseconds }
    /// Whether it is the larger for more records, so that it is told for one of them.
    var word: String { self == .open ? ", for each record" : "" }
}

/// All phases over one store.
struct ScaleRun {
    /// How many records are written at once.
    let batch: Int
    let count: Int
    /// Makes a store over the same place each time.
    let open: () -> Measurements
    /// The file of a database, which the functions of SQLite then read as well.
    var database: String?
    /// The folder of the records, of which the plain calls of the system then read and write files as well.
    var files: RawFolder?

    /// Runs the phases and tells what each took for a record, in its unit.
    func run(_ tell: (ScalePhase, Double) -> Void) async throws {
        let library = open()
        try await library.open()
        tell(.insert, try await insert(0..<count, library) { $0 / Book.perAuthor })
        let authors = count / Book.perAuthor
        // Numbers in no order that helps, each time the same.
        let numbers = (0..<10_000).map { $0 * 7_368_787 % count }
        tell(
            .read,
            try await median(numbers.count) {
                for number in numbers {
                    use(try await library.books.read(Book.ID(Book.id(number))))
                }
            })
        if let database {
            let raw = try RawBooks(database)
            tell(.rawRead, try await median(numbers.count) { try raw.read(numbers) })
        }
        if let files {
            let names = numbers.map { Book.fileName($0) }
            tell(
                .fileRead,
                try await median(names.count) { for name in names { use(try files.read(name)) } })
        }
        let wanted = numbers.prefix(1_000).map { Book.author($0 / Book.perAuthor) }
        tell(
            .query,
            try await median(wanted.count * Book.perAuthor) {
                for author in wanted { use(try await library.books.findAll(author: author)) }
            })
        try await stream(library, tell)
        tell(
            .create,
            try await perRecord(100) {
                for number in count..<count + 100 {
                    use(
                        try await library.books.create(
                            Book(number: number, author: number * 7_919 % authors)))
                }
            })
        if let files {
            let bytes = try JSONDataTransformer().encode(Book(number: 0, author: 0))
            tell(
                .fileCreate,
                try await perRecord(100) {
                    for number in 0..<100 { try files.create("raw-\(number)", with: bytes) }
                })
        }
        tell(
            .scattered,
            try await insert(count + 100..<count + 10_100, library) { $0 * 7_919 % authors })
        tell(
            .open,
            try await median(count) {
                use(try await open().books.findAll(author: wanted[0]))
            })
    }

    private func insert(
        _ numbers: Range<Int>, _ library: Measurements, by author: (Int) -> Int
    ) async throws -> Double {
        var time = Duration.zero
        for first in stride(from: numbers.lowerBound, to: numbers.upperBound, by: batch) {
            let books = (first..<min(numbers.upperBound, first + batch)).map {
                Book(number: $0, author: author($0))
            }
            time += try await timed { try await library.books.createAll(books) }
        }
        return Self.microseconds(time) / Double(numbers.count)
    }

    private func stream(
        _ library: Measurements, _ tell: (ScalePhase, Double) -> Void
    ) async throws {
        let before = try ResidentMemory.now()
        var highest = before
        func run() async throws {
            var seen = 0
            for try await book in library.books.stream(.all) {
                use(book)
                seen += 1
                if seen % 5_000 == 0 { highest = max(highest, try ResidentMemory.now()) }
            }
            guard seen >= count else { throw POSIXError(.ENOENT) }
        }
        // The first time does not count: the system may have dropped what was written long ago.
        try await run()
        tell(.stream, try await perRecord(count, run))
        if let files {
            tell(
                .fileStream,
                try await perRecord(count) {
                    for name in try files.names().sorted() { use(try files.read(name)) }
                })
        }
        tell(.memory, Double(highest - before) / 1_048_576)
    }

    private func perRecord(_ records: Int, _ body: () async throws -> Void) async throws -> Double {
        Self.microseconds(try await timed(body)) / Double(records)
    }

    /// The median of three times, after one that does not count.
    private func median(_ records: Int, _ body: () async throws -> Void) async throws -> Double {
        var times: [Double] = []
        for _ in 0...3 { times.append(try await perRecord(records, body)) }
        return times.dropFirst().sorted()[1]
    }

    private static func microseconds(_ duration: Duration) -> Double {
        duration / .seconds(1) * 1_000_000
    }
}
