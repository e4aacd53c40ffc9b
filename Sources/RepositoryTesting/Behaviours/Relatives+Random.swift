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
        }
    ]

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
        case .constant, .compare, .isIn, .text, .hasElement, .invalid:
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

    /// A condition on works.
    fileprivate mutating func work(_ depth: Int) -> Condition {
        let fields = Work.Fields()
        switch number(0..<(depth > 0 ? 8 : 3)) {
        case 0: return fields.year < number(0..<4)
        case 1: return fields.grade == nil
        case 2: return fields.number.in([1, 2, 3, 5, 8, 13, 21])
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
