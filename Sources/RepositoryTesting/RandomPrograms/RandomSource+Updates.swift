internal import RepositoryRuntime

extension RandomSource {
    /// A change of what a condition finds.
    func updateAll(_ random: inout SeededGenerator) throws -> RandomOperation {
        let condition = try condition(on: records(3, &random), &random)
        let maximum = random.once(in: 4) ? Int.random(in: 0...2, using: &random) : nil
        return updateAll(
            condition, maximum, random.one(of: changes), to: make(id(&random), &random))
    }

    private func updateAll(
        _ condition: ConditionTree, _ maximum: Int?, _ change: RandomChange<R.Model>,
        to value: R.Model
    ) -> RandomOperation {
        let repository = repository
        var operation = named({
            let found = ProgramText.text(condition, R.Model.Mapper.layout)
            let limit = maximum.map { ", limit: \($0)" } ?? ""
            return "updateAll(where: \(found)\(limit), set: \(try change.text(value)))"
        }) { set in
            let query = Query<R.Model>(
                Condition(condition), sortKeys: [], maximum: maximum, skipped: 0)
            return try await .ofBatch {
                .number(
                    try await repository(set).updateAll(query) { change.apply(&$0, value) })
            }
        }
        operation.simpler = {
            (maximum == nil ? [] : [updateAll(condition, nil, change, to: value)])
                + condition.smaller.map { updateAll($0, maximum, change, to: value) }
        }
        return operation
    }

    /// A set of records in the place of what a condition finds; most of them are as it says.
    func replace(_ random: inout SeededGenerator) throws -> RandomOperation {
        let made = records(.random(in: 1...3, using: &random), &random)
        let condition = try condition(on: made, &random)
        let refusesNone = !random.once(in: 4)
        let asked = R.Model.Mapper.table.comparable(condition)
        let records = try made.filter {
            try !refusesNone
                || asked.matches(StoredValueEncoder.values(of: $0, R.Model.Mapper.self))
        }
        let repository = repository
        let text = ProgramText.text(condition, R.Model.Mapper.layout)
        return several(
            "replace(where: \(text), with:)", records, text: { try ProgramText.text($0) }
        ) { set, records in
            try await .ofBatch {
                try await .of(
                    repository(set).replace(where: { _ in Condition(condition) }, with: records))
            }
        }
    }

    /// A condition on the fields of some records, which holds of some of them.
    private func condition(
        on records: [R.Model], _ random: inout SeededGenerator
    ) throws -> ConditionTree {
        let rows = try records.map { try StoredValueEncoder.values(of: $0, R.Model.Mapper.self) }
        // What stands in values within records is the matter of random queries.
        let places = RandomPlace.places(rows, R.Model.Mapper.layout).filter(\.path.names.isEmpty)
        return RandomCondition(places: places).make(&random, depth: 2)
    }
}
