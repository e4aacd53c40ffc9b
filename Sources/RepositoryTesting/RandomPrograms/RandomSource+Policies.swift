internal import RepositoryRuntime

extension RandomSource {
    /// Saves of one or several records by a policy.
    func policy(_ random: inout SeededGenerator) throws -> RandomOperation {
        let repository = repository
        let made = records(random.once(in: 2) ? 1 : .random(in: 0...3, using: &random), &random)
        let (name, policy) = try policy(for: made, &random)
        if made.count == 1 {
            return one("save(conflict: \(name))", made[0]) { set, record in
                try await .of([repository(set).save(record, conflict: policy)])
            }
        }
        return several(
            "saveAll(conflict: \(name))", made, text: { try ProgramText.text($0) }
        ) { set, records in
            try await .ofBatch {
                try await .of(repository(set).saveAll(records, conflict: policy))
            }
        }
    }

    private func policy(
        for records: [R.Model], _ random: inout SeededGenerator
    ) throws -> (name: String, policy: ConflictPolicy<R.Model>) {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return (".fail", .fail)
        case 1: return (".keepStored", .keepStored)
        case 2: return (".replace", .replace)
        default:
            var originals: [R.Model] = []
            for record in records where !random.once(in: 8) {
                originals.append(try original(of: record, &random))
            }
            return (".merge(from: \(try ProgramText.text(originals)))", .merge(from: originals))
        }
    }

    /// What a record may have been when it was read: the same in some fields.
    private func original(
        of record: R.Model, _ random: inout SeededGenerator
    ) throws -> R.Model {
        let other = make(record.id, &random)
        let (ours, others) = (
            try StoredValueEncoder.values(of: record, R.Model.Mapper.self),
            try StoredValueEncoder.values(of: other, R.Model.Mapper.self)
        )
        var row: [StoredValue] = []
        for (mine, theirs) in zip(ours, others) { row.append(random.once(in: 2) ? mine : theirs) }
        return try ReferenceTables.entity(row)
    }
}
