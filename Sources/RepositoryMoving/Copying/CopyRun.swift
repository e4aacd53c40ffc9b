internal import Foundation
internal import RepositoryRuntime

/// One run of a copy: compares the sides, repairs the differences, and compares them again.
final class CopyRun {
    let schema: StoreSchema
    let source: MoveSide
    let target: RepositoryContext
    let options: CopyOptions
    let setAside: SetAsideRecords?
    private let progress: (MoveProgress) -> Void
    private var problems = ProblemList()
    private var conflicts = ProblemList()
    /// Whether an earlier copy into the target was complete, so that programs may use it.
    private(set) var wasComplete = false
    /// The number of records of each table of the source.
    private var sourceCounts: [String: Int] = [:]
    /// The number of records of the tables that are done.
    private var done = 0
    private var total = 0

    init(
        _ schema: StoreSchema, from source: MoveSide, to target: RepositoryContext,
        _ options: CopyOptions, _ progress: @escaping (MoveProgress) -> Void
    ) {
        (self.schema, self.source, self.target) = (schema, source, target)
        (self.options, self.progress) = (options, progress)
        setAside = options.setAside.map { SetAsideRecords($0) }
    }

    // MARK: What tables report

    /// Adds a problem with a record.
    func add(_ kind: MoveProblem.Kind, _ failure: RecordFailure, stops: Bool) {
        let message =
            switch kind {
            case .unreadableRecord: "Records of the source cannot be read."
            case .duplicateValue: "Records have a unique value that another record has."
            case .danglingReference: "Records refer to a record that is not there."
            case .damagedExternalData: "The external data of records is missing or damaged."
            default:
                "Records have values that break a rule, or that \(target.store.name) cannot hold."
            }
        problems.add(
            kind, table: failure.table, field: failure.field, id: failure.id, message,
            stops: stops)
    }

    /// Adds an unreadable record of the target.
    func addUnreadableTarget(_ failure: RecordFailure) {
        problems.add(
            .unreadableRecord, table: failure.table, field: failure.field, id: failure.id,
            "Records of the target cannot be read.", stops: true)
    }

    /// Adds a record that both sides have changed.
    func addConflict(_ table: String, _ id: String) {
        conflicts.add(
            .targetNotEmpty, table: table, id: id,
            "Records differ that the target had or has changed: say who wins with 'merge:'.",
            stops: true)
    }

    /// Reports the number of records of the current table that were read.
    func report(_ table: String, _ count: Int) {
        progress(
            MoveProgress(phase: .copying, table: table, done: done + count, total: total))
    }

    // MARK: The run

    /// Copies all tables.
    func run() async throws -> MoveReport {
        let start = ContinuousClock.now
        var report = MoveReport(
            set: schema.name, source: source.name, target: target.store.name)
        report.problems = source.problems + readOnlyTables
        if report.problems.contains(where: \.stops) { throw stopped(report) }
        guard target.store.capabilities.has(.transactions) else {
            throw MoveError(.unsupported, "\(target.store.name) has no transactions.")
        }
        let sourceState = try await source.source.state()
        let counts = try await counts(of: source.source)
        let there = try await self.counts(of: StoreSource(store: target.store))
        let moves = RepositoryContext(store: target.store, schema: .moves)
        try await moves.open()
        let earlier = try await state(in: moves)
        try check(earlier, counts, there)
        sourceCounts = counts
        total = 2 * counts.values.reduce(0, +)
        wasComplete = earlier?.isComplete ?? false
        if wasComplete, options.merge.refuses {
            report.tables = try await compared()
            report.isComplete = true
            if report.isEqual { return report.ended(start) }
            throw MoveError(
                .mergeNeeded,
                "\(target.store.name) has been copied before, and the sides differ since: say who wins with 'merge:'.",
                report: report.ended(start))
        }
        let writer = TargetWriter(
            target,
            MoveState(
                id: MoveState.ID(schema.name), phase: earlier?.phase ?? MoveState.copying,
                token: UUID(), source: source.name, sourceState: earlier?.sourceState,
                schema: schema.moveFingerprint, written: earlier?.written ?? 0,
                format: MoveState.currentFormat), afterCommit: options.afterCommit)
        try await writer.begin()
        let tables = try await copyTables(writer, moves, there)
        try await carryCounters(writer)
        try setAside?.finish()
        done = total / 2
        report.tables = try await compared()
        report.problems += problems.all + conflicts.all
        report.isComplete = finish(&report, tables)
        report = report.ended(start)
        if !conflicts.all.isEmpty {
            throw MoveError(
                .mergeNeeded,
                "\(target.store.name) has records that this copy did not write, or that were changed since: say who wins with 'merge:'.",
                report: report)
        }
        guard report.isComplete else { throw stopped(report) }
        guard try await source.source.state() == sourceState else {
            throw MoveError(
                .sourceChanged,
                "\(source.name) has been changed while it was copied. The next call copies the changes.",
                report: report)
        }
        try await writer.finish(MoveState.copied, sourceState: sourceState)
        return report
    }

    /// Adds what the copy did to the report of the comparison.
    ///
    /// - Returns: Whether the copy is complete: nothing differs but what was to be kept.
    private func finish(_ report: inout MoveReport, _ counts: [String: TableCounts]) -> Bool {
        var isComplete = !report.problems.contains(where: \.stops)
        for index in report.tables.indices {
            let done = counts[report.tables[index].name] ?? TableCounts()
            report.tables[index].written = done.written
            report.tables[index].removed = done.removed
            report.tables[index].adjusted = done.adjusted
            report.tables[index].kept =
                max(0, done.keptMissing + done.keptDifferent - done.adjusted + done.keptUnreadable)
                + done.keptSurplus
            let table = report.tables[index]
            isComplete =
                isComplete && table.missing == done.keptMissing
                && table.different == done.keptDifferent && table.surplus == done.keptSurplus
                && table.unreadable == done.keptUnreadable
        }
        return isComplete
    }

    private func stopped(_ report: MoveReport) -> MoveError {
        MoveError(
            .stopped,
            "The copy to \(target.store.name) is not complete: the report lists the records. Nothing of the source was changed, and the next call goes on.",
            report: report)
    }

    private var readOnlyTables: [MoveProblem] {
        schema.tables.filter(\.isReadOnly).map {
            MoveProblem(
                .readOnlyTable, table: $0.name, "The table is only read, and not copied.",
                stops: false)
        }
    }

    private func compared() async throws -> [MoveReport.Table] {
        let other = MoveSide(reading: target)
        return try await SetComparison(
            schema: schema, source: source, target: other, showsValues: options.showsValues,
            done: done, total: total, progress: progress
        ).run()
    }

    // MARK: Before the first record

    /// Checks that the copy may begin or go on.
    private func check(
        _ earlier: MoveState?, _ counts: [String: Int], _ there: [String: Int]
    ) throws {
        let isEmpty = counts.values.allSatisfy { $0 == 0 }
        let occupied = there.filter { $0.value > 0 }
        if isEmpty, earlier != nil || !occupied.isEmpty {
            throw MoveError(
                .sourceEmptied,
                "\(source.name) has no records, and \(target.store.name) has been copied to, or has some. Nothing was changed."
            )
        }
        if isEmpty {
            throw MoveError(
                .nothingToMove, "\(source.name) has no records. Nothing was written.")
        }
        guard let earlier else {
            guard !occupied.isEmpty, options.merge.refuses else { return }
            let names = occupied.sorted { $0.key < $1.key }.map { "\($0.value) in '\($0.key)'" }
            throw MoveError(
                .targetNotEmpty,
                "\(target.store.name) has records already: \(names.joined(separator: ", ")). Say who wins with 'merge:'."
            )
        }
        if earlier.format != MoveState.currentFormat || earlier.schema != schema.moveFingerprint,
            earlier.phase == MoveState.copying
        {
            throw MoveError(
                .otherMove,
                "A program with another version of the schema '\(schema.name)' or of this package has begun to copy into \(target.store.name). Let it end there, or reset the target."
            )
        }
        if earlier.source != source.name, options.merge.refuses {
            throw MoveError(
                .otherMove,
                "\(target.store.name) is being copied from '\(earlier.source)', not from '\(source.name)'. Say who wins with 'merge:', or reset the target."
            )
        }
    }

    private func state(in moves: RepositoryContext) async throws -> MoveState? {
        try await moves.store.readIfThere(MoveState.self, id: MoveState.ID(schema.name))
    }

    private func counts(of side: any RecordSource) async throws -> [String: Int] {
        func count<E: Entity>(_ type: E.Type) async throws -> Int { try await side.count(type) }
        var counts: [String: Int] = [:]
        for entity in schema.copiedEntities {
            counts[entity.table.name] = try await count(entity)
        }
        return counts
    }

    /// Removes the state of earlier copies, because the target was reset since.
    func forgetEarlierCopies() async throws {
        let moves = RepositoryContext(store: target.store, schema: .moves)
        try await moves.open()
        let prefix = schema.name + "/"
        let parts = try await moves.store.ids(MovedPart.self)
            .filter { $0.rawValue.hasPrefix(prefix) }
        _ = try await moves.store.deleteAll(MovedPart.self, ids: parts)
        _ = try await moves.store.deleteAll(MoveState.self, ids: [MoveState.ID(schema.name)])
    }

    // MARK: The tables

    private func copyTables(
        _ writer: TargetWriter, _ moves: RepositoryContext, _ there: [String: Int]
    ) async throws -> [String: TableCounts] {
        let order = CopyOrder(schema)
        var copies: [any TableCopying] = []
        func copy<E: Entity>(_ type: E.Type) async throws {
            let name = E.Mapper.table.name
            let copy = TableCopy<E>(self, writer, openFields: order.openFields[name] ?? [])
            copies.append(copy)
            try await copy.copy(
                moves.store.ids(MovedPart.self), isTargetEmpty: there[name] == 0)
            done += sourceCounts[name] ?? 0
        }
        for entity in order.entities { try await copy(entity) }
        for copy in copies where copy.counts.hasOpenReferences {
            done -= sourceCounts[copy.tableName] ?? 0
            try await copy.copyOpenReferences(moves.store.ids(MovedPart.self))
            done += sourceCounts[copy.tableName] ?? 0
        }
        for copy in copies.reversed() { try await copy.remove() }
        return Dictionary(
            copies.map { ($0.tableName, $0.counts) }, uniquingKeysWith: { $1 })
    }

    /// Raises the counters of assigned ids, so that no id of the source is given again.
    private func carryCounters(_ writer: TargetWriter) async throws {
        let counters = try await source.idCounters()
        guard !counters.isEmpty else { return }
        try await writer.write { store in
            try await target.raise(counters, in: store)
            return 0
        }
    }
}

/// A copy of one table, whatever its type.
protocol TableCopying: AnyObject {
    var tableName: String { get }
    var counts: TableCounts { get }
    func copyOpenReferences(_ parts: [MovedPart.ID]) async throws
    func remove() async throws
}

extension TableCopy: TableCopying {
    var tableName: String { E.Mapper.table.name }
}

extension MoveReport {
    /// Returns the report with the time since its start.
    fileprivate func ended(_ start: ContinuousClock.Instant) -> MoveReport {
        var report = self
        report.seconds = (ContinuousClock.now - start) / .seconds(1)
        return report
    }
}
