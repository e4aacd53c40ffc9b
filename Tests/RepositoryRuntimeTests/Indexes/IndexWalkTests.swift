import Foundation
import Testing

@testable import RepositoryRuntime

/// Scans over pages, compared with what a scan means.
@Suite struct IndexWalkTests {
    private static let table: EntityTable = {
        var table = EntityTable("things", entity: "Thing")
        table.field("id", .text, key: true)
        table.field("a", .int64, optional: true)
        table.field("b", .text, optional: true)
        table.index("by_a_b", ["a", "-b"])
        table.index("by_b", ["-b"])
        return table
    }()

    private func rows(_ count: Int, _ random: inout SeededGenerator) -> [[StoredValue]] {
        (0..<count).map { number in
            let a: StoredValue = random.below(6) == 0 ? .null : .integer(Int64(random.below(4)))
            let b: StoredValue =
                random.below(6) == 0 ? .null : .text(random.pick(["", "x", "xy", "y", "é"], ""))
            return [.text("id\(number)"), a, b]
        }
    }

    @Test(arguments: 1...5)
    func findsWhatTheScanSays(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let rows = rows(random.pick([3, 60, 900], 60), &random)
        for number in 0..<60 {
            let index = random.below(2)
            var scan = IndexScan(index, isReversed: random.below(2) == 0)
            let fields = index == 0 ? [1, 2] : [2]
            let count = random.below(fields.count + 1)
            let sample = random.pick(rows, rows[0])
            scan.equal = fields.prefix(count).map { sample[$0] }
            if count < fields.count {
                func bound() -> IndexScan.Bound? {
                    if random.below(3) == 0 { return nil }
                    let value = random.pick(rows, rows[0])[fields[count]]
                    return IndexScan.Bound(value, isIncluded: random.below(2) == 0)
                }
                scan.lower = bound()
                scan.upper = bound()
            }
            if random.below(2) == 0 {
                let place = random.pick(rows, rows[0])
                scan.after = fields.map { place[$0] } + [place[0]]
            }
            let form = IndexKeyForm(Self.table, Self.table.indexes[index])
            let pages = try IndexPages(
                MemoryIndexPages(), sorted: rows.compactMap(form.key).sorted())
            let expected = Self.found(rows, scan).map { $0[0] }
            let name: Comment = "seed \(seed), scan \(number): \(scan)"
            for limit in [1, 7, Int.max] {
                let keys = try pages.walk(scan, form, limit: limit)
                let found = keys.compactMap { form.components(of: $0)?.first }
                #expect(found == Array(expected.prefix(limit)), name)
            }
        }
    }

    /// The meaning of a scan, plainly.
    private static func found(_ rows: [[StoredValue]], _ scan: IndexScan) -> [[StoredValue]] {
        let keys = table.indexes[scan.index].keys
        func precedes(_ left: [StoredValue], _ right: [StoredValue]) -> Bool {
            for key in keys where left[key.field] != right[key.field] {
                let first = left[key.field] < right[key.field]
                return first != (key.descending != scan.isReversed)
            }
            return left[0] < right[0]
        }
        return rows.filter { row in
            guard zip(keys, scan.equal).allSatisfy({ $0.path.value(in: row) == $1 }) else {
                return false
            }
            guard scan.equal.count < keys.count else { return true }
            let value = row[keys[scan.equal.count].field]
            if let bound = scan.lower, value < bound.value { return false }
            if let bound = scan.lower, value == bound.value, !bound.isIncluded { return false }
            if let bound = scan.upper, bound.value < value { return false }
            if let bound = scan.upper, value == bound.value, !bound.isIncluded { return false }
            return true
        }.filter { row in
            guard let after = scan.after else { return true }
            var place = [StoredValue](repeating: .null, count: 3)
            for (key, value) in zip(keys, after) { place[key.field] = value }
            place[0] = after[after.count - 1]
            return precedes(place, row)
        }.sorted(by: precedes)
    }

    @Test func keepsBytesAsTheyWere() throws {
        var random = SeededGenerator(seed: 3)
        let form = IndexKeyForm(Self.table, Self.table.indexes[0])
        let keys = rows(200, &random).compactMap(form.key).sorted()
        let page = IndexPageBytes.encode(page: keys)
        #expect(IndexPageBytes.page(page) == keys)
        #expect(IndexPageBytes.page(IndexPageBytes.encode(page: [])) == [])
        // Whatever byte is changed or lost, it is found.
        for index in page.indices {
            var damaged = page
            damaged[index] ^= 0x10
            #expect(IndexPageBytes.page(damaged) == nil)
            #expect(IndexPageBytes.page(page.prefix(index)) == nil)
        }
        let pages = try IndexPages(
            MemoryIndexPages(), sorted: (keys + [keys[0].successor]).sorted())
        let directory = IndexPageBytes.encode(pages.directory)
        #expect(IndexPageBytes.directory(directory) == pages.directory)
        #expect(IndexPageBytes.directory(page) == nil)
        #expect(IndexPageBytes.page(directory) == nil)
    }
}
