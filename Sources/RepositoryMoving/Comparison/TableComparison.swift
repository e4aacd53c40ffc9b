internal import Foundation
internal import RepositoryRuntime

/// Reads a table on both sides in id order and reports the differences.
struct TableComparison<E: Entity> {
    let source: MoveSide
    let target: MoveSide
    let fields: ComparedFields<E>
    let showsValues: Bool
    /// Called from time to time with the number of records read.
    let progress: (Int) -> Void

    private static var namedDifferences: Int { 20 }

    /// Compares the table. Writes nothing.
    func run() async throws -> MoveReport.Table {
        let start = ContinuousClock.now
        var table = MoveReport.Table(name: E.Mapper.table.name)
        var (one, two) = (TableDigest(), TableDigest())
        var left = try await RecordCursor<E>(source.source)
        var right = try await RecordCursor<E>(target.source)
        while true {
            for failure in left.takeFailures() { add(failure, .unreadableInSource, &table) }
            for failure in right.takeFailures() { add(failure, .unreadableInTarget, &table) }
            let (first, second) = (left.current, right.current)
            guard let id = [first?.id, second?.id].compactMap({ $0 }).min() else { break }
            let ours = first.flatMap { $0.id == id ? fields.rounded($0) : nil }
            let theirs = second.flatMap { $0.id == id ? fields.rounded($0) : nil }
            let (ourBytes, theirBytes) = (
                try ours.map { try fields.bytes($0) }, try theirs.map { try fields.bytes($0) }
            )
            if let ourBytes { one.add(ourBytes) }
            if let theirBytes { two.add(theirBytes) }
            switch (ours, theirs) {
            case (let ours?, let theirs?):
                if ourBytes == theirBytes {
                    table.equal += 1
                } else {
                    table.different += 1
                    let found = try fields.differences(ours, theirs, showingValues: showsValues)
                    add(.different, id, &table, table.different, found.names, found.values)
                }
            case (_?, nil):
                table.missing += 1
                add(.missing, id, &table, table.missing)
            default:
                table.surplus += 1
                add(.surplus, id, &table, table.surplus)
            }
            if ours != nil { try await left.advance() }
            if theirs != nil { try await right.advance() }
            if left.count % 256 == 0 { progress(left.count) }
        }
        (table.sourceCount, table.targetCount) = (left.count, right.count)
        (table.sourceDigest, table.targetDigest) = (one.text, two.text)
        progress(left.count)
        try await check(left.count + left.failureCount, source)
        try await check(right.count + right.failureCount, target)
        table.seconds = (ContinuousClock.now - start) / .seconds(1)
        return table
    }

    /// Checks that a side gave as many records as it counts: a page that is short by mistake is not
    /// the end of a table.
    private func check(_ count: Int, _ side: MoveSide) async throws {
        guard side.isFrozen else { return }
        let counted = try await side.source.count(E.self)
        guard counted != count else { return }
        throw MoveError(
            .unreliableSource,
            "\(side.name) counts \(counted) records in '\(E.Mapper.table.name)', and gave \(count).",
            table: E.Mapper.table.name)
    }

    private func add(
        _ kind: MoveReport.Difference.Kind, _ id: E.ID, _ table: inout MoveReport.Table,
        _ count: Int, _ fields: [String] = [], _ values: [String: [String]]? = nil
    ) {
        guard count <= Self.namedDifferences else { return }
        table.differences.append(
            MoveReport.Difference(
                kind: kind, id: id.description, fields: fields, values: values))
    }

    private func add(
        _ failure: RecordFailure, _ kind: MoveReport.Difference.Kind,
        _ table: inout MoveReport.Table
    ) {
        table.unreadable += 1
        guard table.unreadable <= Self.namedDifferences else { return }
        table.differences.append(
            MoveReport.Difference(
                kind: kind, id: failure.id, fields: failure.field.map { [$0] } ?? []))
    }
}
