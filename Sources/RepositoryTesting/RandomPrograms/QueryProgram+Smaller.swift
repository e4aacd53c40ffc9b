internal import RepositoryRuntime

extension QueryProgram {
    /// Programs that say less than this one, those that say much less first.
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

    private func changed<V>(_ property: WritableKeyPath<Self, V>, to values: [V]) -> [Self] {
        values.map { value in
            var copy = self
            copy[keyPath: property] = value
            return copy
        }
    }

    /// The records, one of them with a field that may be null and now is.
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
                // A record that cannot be made so is left as it is.
                guard let record = try? table.record(simpler) else { return nil }
                copy[number] = record
                return copy
            }
        }
    }
}

extension ConditionTree {
    /// Conditions that say less than this one.
    var smaller: [ConditionTree] {
        switch self {
        case .constant(true): []
        case .constant(false): [.constant(true)]
        case .compare, .hasElement, .invalid: [.constant(true)]
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
    /// The conditions, one of them replaced by each that says less.
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
    /// The numbers that are not negative, once each.
    fileprivate var unique: [Int] {
        reduce(into: []) { if $1 >= 0, !$0.contains($1) { $0.append($1) } }
    }
}
