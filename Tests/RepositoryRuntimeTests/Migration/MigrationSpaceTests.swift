import Foundation
import Testing

@testable import RepositoryRuntime

/// What a migration keeps in files while it runs.
@Suite("The space of a migration", .timeLimit(.minutes(60)))
struct MigrationSpaceTests {
    private func driver(_ folder: TemporaryFolder, _ operations: any FileOperations) -> FileDriver {
        FileDriver(
            root: folder.url, formatExtension: "json", providesStamps: true,
            operations: operations)
    }

    private func bytes(_ number: Int) -> [UInt8] { Array("value \(number)".utf8) }

    /// Returns all values of a closure.
    private func all(_ next: () throws -> [UInt8]?) throws -> [[UInt8]] {
        var values: [[UInt8]] = []
        while let value = try next() { values.append(value) }
        return values
    }

    /// Fills tables and lists in turn and compares them with dictionaries and arrays.
    private func check(_ space: any MigrationSpace) throws {
        let tables = try (0..<3).map { _ in try space.makeTable() }
        let lists = try (0..<2).map { _ in try space.makeList() }
        var expected = [[[UInt8]: [[UInt8]]]](repeating: [:], count: 3)
        var expectedLists = [[[UInt8]]](repeating: [], count: 2)
        for number in 0..<3000 {
            let table = number % 3
            // One key has a third of the values, and another one none but the empty one.
            let key = number % 9 < 3 ? [1] : bytes(number % 700)
            // Some values are larger than an extent.
            let value =
                number % 500 == 7
                ? [UInt8](repeating: UInt8(number % 251), count: 5000) : bytes(number)
            #expect(try tables[table].last(under: key) == expected[table][key]?.last)
            try tables[table].add(value, under: key)
            expected[table][key, default: []].append(value)
            try lists[number % 2].append(value)
            expectedLists[number % 2].append(value)
        }
        try tables[0].add([], under: [])
        expected[0][[]] = [[]]
        for (table, rows) in zip(tables, expected) {
            for (key, values) in rows {
                #expect(try table.last(under: key) == values.last)
                #expect(try Set(all(table.values(under: key))) == Set(values))
                #expect(try all(table.values(under: key)).count == values.count)
            }
            #expect(try table.last(under: [9, 9]) == nil)
            #expect(try all(table.values(under: [9, 9])).isEmpty)
            #expect(try Set(all(table.values())) == Set(rows.values.joined()))
            #expect(try all(table.values()).count == rows.values.joined().count)
        }
        for (list, values) in zip(lists, expectedLists) {
            #expect(try all(list.values()) == values)
        }
        #expect(try all(space.makeList().values()).isEmpty)
        #expect(try all(space.makeTable().values()).isEmpty)
    }

    @Test("Tables and lists return what was added, in memory and in files of any extent")
    func values() throws {
        try check(MemorySpace())
        let folder = TemporaryFolder()
        let driver = driver(folder, POSIXFileOperations())
        try driver.withLock {
            try check(ScratchSpace { try driver.scratchFile() })
            for (extent, keys) in [(1, 1), (64, 3), (300, 8)] {
                try check(ScratchSpace(extent: extent, keys: keys) { try driver.scratchFile() })
            }
        }
    }

    @Test("The files have no names, and a small migration needs none")
    func names() throws {
        let folder = TemporaryFolder()
        let operations = CountingFileOperations()
        let driver = driver(folder, operations)
        try driver.withLock {
            let own = folder.url.appending(path: ".repository")
            let before = try FileManager.default.contentsOfDirectory(atPath: own.path)
            var made = 0
            let space = ScratchSpace(extent: 64, keys: 3) {
                made += 1
                return try driver.scratchFile()
            }
            let table = space.makeTable()
            try table.add([1], under: [2])
            #expect(made == 0)
            for number in 0..<100 { try table.add(bytes(number), under: bytes(number)) }
            #expect(made >= 2)
            #expect(try FileManager.default.contentsOfDirectory(atPath: own.path) == before)
        }
    }

    @Test("The bytes in memory do not depend on the number of values")
    func memory() throws {
        let folder = TemporaryFolder()
        let driver = driver(folder, POSIXFileOperations())
        try driver.withLock {
            func highest(_ count: Int) throws -> Int {
                let space = ScratchSpace { try driver.scratchFile() }
                let table = space.makeTable()
                let list = space.makeList()
                var highest = 0
                for number in 0..<count {
                    try table.add(bytes(number), under: bytes(number % (count / 2)))
                    try list.append(bytes(number))
                    highest = max(highest, space.bytesInMemory)
                }
                return highest
            }
            let few = try highest(2_000)
            #expect(few > 10_000)
            #expect(try highest(40_000) <= few)
        }
    }

    @Test("Each value costs a fixed number of calls")
    func linear() throws {
        let folder = TemporaryFolder()
        let operations = CountingFileOperations()
        let driver = driver(folder, operations)
        try driver.withLock {
            let space = ScratchSpace(extent: 512, keys: 4) { try driver.scratchFile() }
            var calls: [Int] = []
            for round in 0..<4 {
                let table = space.makeTable()
                _ = operations.taken()
                let count = 500 << (2 * round)
                for number in 0..<count {
                    // Half of the values have one key.
                    try table.add(bytes(number), under: number % 2 == 0 ? [] : bytes(number))
                }
                calls.append(operations.taken().count / count)
            }
            #expect(calls.allSatisfy { $0 <= 8 }, "\(calls)")
        }
    }

    @Test(
        "A call that fails is an error of the store that names the file",
        arguments: FailingFileOperations.Fault.allCases)
    func failing(fault: FailingFileOperations.Fault) throws {
        var failed = 0
        for number in 1... {
            let folder = TemporaryFolder()
            let operations = FailingFileOperations(fault: fault)
            let driver = driver(folder, operations)
            var hasFailed = false
            try driver.withLock {
                let space = ScratchSpace(extent: 64, keys: 2) { try driver.scratchFile() }
                operations.arm(failing: number)
                do {
                    let table = space.makeTable()
                    let list = space.makeList()
                    for number in 0..<30 {
                        try table.add(bytes(number), under: bytes(number))
                        try list.append(bytes(number))
                    }
                    for number in 0..<30 {
                        #expect(try table.last(under: bytes(number)) == bytes(number))
                    }
                    #expect(try all(list.values()) == (0..<30).map(bytes))
                } catch let error as CRUDRepositoryError {
                    #expect(error.code == fault.storeCode)
                    #expect(error.message.contains("'.repository/tmp-"), "\(error)")
                    #expect(error.isRetryable == (fault != .broken))
                }
                hasFailed = operations.hasFailed
                operations.arm(failing: 0)
            }
            if !hasFailed { break }
            failed += 1
        }
        #expect(failed > 30)
    }
}
