internal import RepositoryRuntime

extension QueryProgram {
    /// Candidates for shrinking: programs with fewer or simpler parts, the much smaller ones first.
    func smaller() -> [Self] {
        changed(\.records, to: records.withoutParts)
            + changed(\.question, to: question == .fetch ? [] : [.fetch])
            + changed(\.start, to: start == nil ? [] : [nil])
            + changed(\.skipped, to: skipped == 0 ? [] : [0, skipped / 2, skipped - 1].unique)
            + changed(
                \.maximum,
                to: maximum.map { [nil, $0 / 2, $0 - 1].filter { $0 != maximum && $0 ?? 0 >= 0 } }
                    ?? [])
            + changed(\.condition, to: condition.smaller)
            + changed(\.sortKeys, to: sortKeys.withoutParts)
            + changed(\.records, to: simplerRecords)
    }

    /// Copies of the program in which a property has one of the values.
    private func changed<V>(_ property: WritableKeyPath<Self, V>, to values: [V]) -> [Self] {
        values.map { value in
            var copy = self
            copy[keyPath: property] = value
            return copy
        }
    }

    /// Copies of the records in which one nullable field of one record is null.
    private var simplerRecords: [[R.Model]] {
        let layout = R.Model.Mapper.layout
        return records.indices.flatMap { number -> [[R.Model]] in
            guard
                let row = try? StoredValueEncoder.values(
                    of: records[number], R.Model.Mapper.self)
            else { return [] }
            return layout.fields.indices.compactMap { field in
                guard layout.fields[field].isOptional, row[field] != .null else { return nil }
                var simpler = row
                simpler[field] = .null
                var copy = records
                // A record that cannot be decoded with the null is not a candidate.
                guard let record = try? table.record(simpler) else { return nil }
                copy[number] = record
                return copy
            }
        }
    }
}

extension ConditionTree {
    /// Candidates for shrinking: simpler conditions.
    var smaller: [ConditionTree] {
        switch self {
        case .constant(true): []
        case .constant(false): [.constant(true)]
        case .compare, .compareFields, .hasElement, .related, .invalid: [.constant(true)]
        case .isIn(let path, let values):
            [.constant(true)]
                + ProgramText.ordered(values).withoutParts.filter { !$0.isEmpty }.map {
                    .isIn(path, Set($0))
                }
        case .text(let path, let search):
            [.constant(true)]
                + (search.text.isEmpty
                    ? []
                    : [
                        .text(
                            path,
                            TextSearch(
                                search.kind, String(search.text.dropLast()),
                                ignoringCase: search.ignoringCase))
                    ])
        case .all(let conditions):
            conditions + conditions.withoutParts.filter { $0.count > 1 }.map { .all($0) }
                + conditions.withOneSmaller.map { .all($0) }
        case .any(let conditions):
            conditions + conditions.withoutParts.filter { $0.count > 1 }.map { .any($0) }
                + conditions.withOneSmaller.map { .any($0) }
        case .not(let condition):
            [condition, .constant(true)] + condition.smaller.map { .not($0) }
        }
    }
}

extension [ConditionTree] {
    /// Copies of the conditions in which one is replaced by a simpler one.
    fileprivate var withOneSmaller: [[ConditionTree]] {
        indices.flatMap { index in
            self[index].smaller.map { smaller in
                var copy = self
                copy[index] = smaller
                return copy
            }
        }
    }
}

extension [Int] {
    /// The distinct numbers that are not negative.
    fileprivate var unique: [Int] {
        reduce(into: []) { if $1 >= 0, !$0.contains($1) { $0.append($1) } }
    }
}
