internal import RepositoryRuntime

extension StoreBehaviour {
    /// Random conditions on related records.
    static let randomRelatives: [StoreBehaviour] = [
        StoreBehaviour(
            "random.relatives", "Random conditions on related records find what plain Swift finds.",
            needs: [.records, .listing, .batches, .queries, .references]
        ) { trial in
            var random = SeededGenerator(seed: RandomSettings.seed)
            try await trial.fillRelatives(&random)
            let records = try await RelativeRecords(trial.repositories)
            for number in 0..<60 {
                let writers = random.writer(3)
                try await compare(
                    trial.writers.fetch(Query.where { _ in writers }.allowingFullScan()).map(\.id),
                    records.ids(of: Writer.self, where: writers), writers, number)
                let readings = random.reading(3)
                try await compare(
                    trial.readings.fetch(Query.where { _ in readings }.allowingFullScan()).map(
                        \.id),
                    records.ids(of: Reading.self, where: readings), readings, number)
                let works = random.work(3)
                try await compare(
                    trial.works.fetch(Query.where { _ in works }.allowingFullScan()).map(\.id),
                    records.ids(of: Work.self, where: works), works, number)
            }
        },
        StoreBehaviour(
            "random.relatives.sort", "Random orders by related records are those of plain Swift.",
            needs: [.records, .listing, .batches, .queries, .references]
        ) { trial in
            var random = SeededGenerator(seed: RandomSettings.seed)
            try await trial.fillRelatives(&random)
            let records = try await RelativeRecords(trial.repositories)
            for number in 0..<40 {
                let (writers, byWriters) = (random.writer(1), random.orderOfWriters())
                try await compareOrder(
                    trial.repositories.writers, writers, byWriters, records, &random, number)
                let (readings, byReadings) = (random.reading(1), random.orderOfReadings())
                try await compareOrder(
                    trial.repositories.readings, readings, byReadings, records, &random, number)
            }
        },
    ]

    /// Compares a part of the results of a query, and the pages of all of them, with those of plain
    /// Swift.
    private static func compareOrder<R: EntityRepository>(
        _ repository: R, _ condition: Condition, _ sortKeys: [SortKey],
        _ records: RelativeRecords, _ random: inout SeededGenerator, _ number: Int
    ) async throws {
        let wanted: [R.Model.ID] = records.ids(of: R.Model.self, where: condition, by: sortKeys)
        let maximum = Int.random(in: 0..<20, using: &random)
        let skipped = Int.random(in: 0..<4, using: &random)
        let query = Query<R.Model>(
            condition, sortKeys: sortKeys, maximum: maximum, skipped: skipped
        ).allowingFullScan()
        let order = sortKeys.map { $0.text(in: R.Model.Mapper.layout) }
        let text = "\(number), seed \(RandomSettings.seed): \(condition) by \(order)"
        try await expect(
            repository.ids(query), is: Array(wanted.dropFirst(skipped).prefix(maximum)), text)
        var found: [R.Model.ID] = []
        var cursor: QueryCursor?
        repeat {
            let page = try await repository.page(
                query.offset(0).limit(1 + maximum / 3), after: cursor)
            found += page.items.map(\.id)
            cursor = page.next
        } while cursor != nil && found.count <= wanted.count
        try expect(found, is: wanted, "pages: \(text)")
    }

    private static func compare<ID: Hashable & Sendable>(
        _ found: [ID], _ wanted: Set<ID>, _ condition: Condition, _ number: Int
    ) throws {
        try expect(Set(found), is: wanted, "\(number), seed \(RandomSettings.seed): \(condition)")
        try expect(found.count, is: wanted.count, "\(number), seed \(RandomSettings.seed)")
    }
}

/// All records, in which conditions are evaluated by following each link over all of them.
private struct RelativeRecords {
    /// A record with its id as references contain it.
    private struct Record {
        let key: any Hashable & Sendable
        let id: StoredValue
        let values: [StoredValue]
    }

    private var records: [String: [Record]] = [:]

    init(_ repositories: Conformance) async throws {
        try await add(repositories.writers)
        try await add(repositories.works)
        try await add(repositories.readers)
        try await add(repositories.readings)
        try await add(repositories.chapters)
    }

    private mutating func add<R: EntityRepository>(_ repository: R) async throws {
        records[R.Model.Mapper.table.name] = try await repository.fetch().map {
            Record(
                key: $0.id, id: try StoredValue(encoding: $0.id),
                values: try StoredValueEncoder.values(of: $0, R.Model.Mapper.self))
        }
    }

    /// The ids of the records that satisfy a condition.
    func ids<E: Entity>(of type: E.Type, where condition: Condition) -> Set<E.ID> {
        let all = records[E.Mapper.table.name] ?? []
        return Set(
            all.filter { matches(condition.tree, $0) }.compactMap { $0.key as? E.ID })
    }

    /// The ids of the records that satisfy a condition, in an order.
    func ids<E: Entity>(
        of type: E.Type, where condition: Condition, by sortKeys: [SortKey]
    ) -> [E.ID] {
        let found = (records[E.Mapper.table.name] ?? []).filter { matches(condition.tree, $0) }
        let rows = found.map { record in
            (
                id: record.key as? E.ID,
                position: sortKeys.map { key in
                    key.relative.map { value($0, record) } ?? key.path.value(in: record.values)
                } + E.Mapper.table.key.map { record.values[$0] }
            )
        }
        return rows.sorted { left, right in
            for (index, (one, two)) in zip(left.position, right.position).enumerated()
            where one != two {
                let descends =
                    index < sortKeys.count && sortKeys[index].direction == .descending
                return descends ? two < one : one < two
            }
            return false
        }.compactMap(\.id)
    }

    /// The value of related records for a record.
    private func value(_ value: RelatedValue, _ record: Record) -> StoredValue {
        func linked(by link: RecordLink) -> [Record] {
            (records[link.target.linkedTable] ?? []).filter { isLinked(record, $0, link) }
        }
        switch value {
        case .field(let path): return path.value(in: record.values)
        case .behind(let link, let inner):
            return linked(by: link).first.map { self.value(inner, $0) } ?? .null
        case .count(let link, let join):
            let found = linked(by: link)
            guard let reference = join?.reference else { return .integer(Int64(found.count)) }
            let others = Set(found.map { reference.value(in: $0.values) }).subtracting([.null])
            return .integer(Int64(others.count))
        }
    }

    private func matches(_ tree: ConditionTree, _ record: Record) -> Bool {
        switch tree {
        case .related(let related):
            let all = records[related.link.target.linkedTable] ?? []
            let found = all.filter { other in
                isLinked(record, other, related.link) && matches(related.condition, other)
            }
            let count = related.distinct.map { field in
                Set(found.map { field.value(in: $0.values) }).count
            }
            return count ?? found.count >= related.minimum
        case .all(let conditions): return conditions.allSatisfy { matches($0, record) }
        case .any(let conditions): return conditions.contains { matches($0, record) }
        case .not(let condition): return !matches(condition, record)
        case .constant, .compare, .compareFields, .isIn, .text, .hasElement, .invalid:
            return tree.matches(record.values)
        }
    }

    private func isLinked(_ record: Record, _ other: Record, _ link: RecordLink) -> Bool {
        if let reference = link.reference { return reference.value(in: record.values) == other.id }
        guard let name = link.backReference,
            let field = (link.target as? any Entity.Type)?.field(name)
        else { return false }
        return other.values[field] == record.id
    }
}

extension Entity {
    /// The index of a property.
    fileprivate static func field(_ name: String) -> Int? { Mapper.layout.indexByKey[name] }
}

extension SeededGenerator {
    private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }
    private mutating func name() -> String { "n\(number(0..<4))" }
    private mutating func writerID() -> Writer.ID { Writer.ID("w\(number(0..<14))") }

    /// A condition on writers that follows at most some links.
    fileprivate mutating func writer(_ depth: Int) -> Condition {
        let fields = Writer.Fields()
        switch number(0..<(depth > 0 ? 14 : 3)) {
        case 0: return fields.name == name()
        case 1: return fields.mentorID == nil
        case 2: return fields.id > writerID()
        case 3: return fields.mentor.name >= name()
        case 4: return fields.mentor.mentor.name != name()
        case 5: return fields.works.any { _ in work(depth - 1) }
        case 6: return fields.pupils.none { _ in writer(depth - 1) }
        case 7: return fields.works.all { _ in work(depth - 1) }
        case 8: return fields.works.count >= number(0..<4)
        case 9: return fields.mentor.pupils.count < number(0..<4)
        case 10: return fields.readers.count == number(0..<4)
        case 11: return !writer(depth - 1)
        case 12: return writer(depth - 1) && writer(depth - 1)
        default: return writer(depth - 1) || fields.readers.any { _ in reader(depth - 1) }
        }
    }

    /// One to three keys of an order.
    private mutating func order(_ values: [any SortableValue]) -> [SortKey] {
        (0..<number(1..<4)).map { _ in
            values[number(0..<values.count)].sortKey(number(0..<2) == 0 ? .ascending : .descending)
        }
    }

    /// An order of writers.
    fileprivate mutating func orderOfWriters() -> [SortKey] {
        let fields = Writer.Fields()
        return order([
            fields.name, fields.mentor.name, fields.mentor.mentor.name, fields.mentor.mentorID,
            fields.works.count, fields.mentor.pupils.count, fields.readers.count,
            fields.mentor.readers.count,
        ])
    }

    /// An order of readings.
    fileprivate mutating func orderOfReadings() -> [SortKey] {
        let fields = Reading.Fields()
        return order([
            fields.day, fields.chapter.number, fields.chapter.readers.count,
            fields.writer.mentor.name, fields.reader.name, fields.writer.works.count,
        ])
    }

    /// A condition on works.
    fileprivate mutating func work(_ depth: Int) -> Condition {
        let fields = Work.Fields()
        switch number(0..<(depth > 0 ? 8 : 3)) {
        case 0: return fields.year < number(0..<4)
        case 1: return fields.grade == nil
        case 2: return fields.number.in([1, 2, 3, 5, 8, 13, 21]) || fields.year <= fields.grade
        case 3: return fields.writer.name == name()
        case 4: return fields.writer.mentorID == nil
        case 5: return fields.writer.works.count > number(0..<4)
        case 6: return !work(depth - 1) || fields.writer.readers.none { _ in reader(depth - 1) }
        default: return work(depth - 1) && work(depth - 1)
        }
    }

    /// A condition on readers.
    fileprivate mutating func reader(_ depth: Int) -> Condition {
        let fields = Reader.Fields()
        switch number(0..<(depth > 0 ? 5 : 2)) {
        case 0: return fields.name == name()
        case 1: return fields.id != Reader.ID("r\(number(0..<5))")
        case 2: return fields.writers.any { _ in writer(depth - 1) }
        case 3: return fields.chapters.count <= number(0..<3)
        default: return !reader(depth - 1)
        }
    }

    /// A condition on readings.
    fileprivate mutating func reading(_ depth: Int) -> Condition {
        let fields = Reading.Fields()
        switch number(0..<(depth > 0 ? 8 : 2)) {
        case 0: return fields.day > number(0..<4)
        case 1: return fields.chapterID == nil
        case 2: return fields.chapter.number == number(0..<3)
        case 3: return fields.chapter.readers.count >= number(0..<4)
        case 4: return fields.reader.name == name() && fields.writer.name != name()
        case 5: return fields.writer.works.any { _ in work(depth - 1) }
        case 6: return !reading(depth - 1)
        default: return reading(depth - 1) || reading(depth - 1)
        }
    }
}

extension StoreTrial {
    /// Fills the tables with random records, some of which nothing refers to.
    fileprivate func fillRelatives(_ random: inout SeededGenerator) async throws {
        func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
        for index in 0..<12 {
            let mentor = index > 0 && number(0..<3) > 0 ? "w\(number(0..<index))" : nil
            try await repositories.writers.create(
                Writer(
                    id: .init("w\(index)"), name: "n\(number(0..<4))",
                    mentorID: mentor.map { Writer.ID($0) }))
        }
        try await repositories.works.createAll(
            (0..<25).map { index in
                Work(
                    number: .init(index), writerID: .init("w\(number(0..<9))"),
                    year: number(0..<4), grade: number(0..<2) == 0 ? nil : number(0..<3))
            })
        try await repositories.readers.createAll(
            (0..<5).map { Reader(id: .init("r\($0)"), name: "n\(number(0..<4))") })
        try await repositories.chapters.createAll((0..<3).map { Chapter(part: "p", number: $0) })
        let chapters = try await repositories.chapters.fetch().map(\.id)
        var readings: [Reading.ID: Reading] = [:]
        for _ in 0..<25 {
            let reading = Reading(
                readerID: .init("r\(number(0..<5))"), writerID: .init("w\(number(0..<9))"),
                day: number(0..<4), chapterID: number(0..<2) == 0 ? nil : chapters[number(0..<3)])
            readings[reading.id] = reading
        }
        try await repositories.readings.createAll(Array(readings.values))
    }
}
