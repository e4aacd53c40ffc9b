import Foundation
import Testing

@testable import RepositoryRuntime

/// Conditions of thousands of parts: built at a cost that grows with their number, and never deeper than a thread's stack.
@Suite("Large and deep conditions")
struct DeepConditionTests {
    private static let fields = Volume.Fields()

    private func volumes(_ count: Int) -> [Volume] {
        (0..<count).map { Volume(code: .init("v\($0)"), title: "t", pages: $0) }
    }

    private func repository(_ count: Int) async throws -> VolumeRepository {
        let repository = VolumeRepository(over: InMemoryStore())
        try await repository.createAll(volumes(count))
        return repository
    }

    // MARK: Negations

    @Test func negationsCancel() async throws {
        let repository = try await repository(4)
        var condition = Self.fields.pages > 1
        for _ in 0..<5_000 { condition = !condition }
        #expect(condition == (Self.fields.pages > 1))
        condition = !condition
        #expect(condition.tree == .not((Self.fields.pages > 1).tree))
        let found = try await repository.fetch(.where { _ in condition })
        #expect(found.map(\.pages) == [0, 1])
    }

    // MARK: Many parts

    enum Shape: CaseIterable { case left, right, halves, pairs }

    private func join(
        _ conditions: [Condition], _ shape: Shape, _ operation: (Condition, Condition) -> Condition
    ) -> Condition {
        switch shape {
        case .left: conditions.dropFirst().reduce(conditions[0], operation)
        case .right:
            conditions.dropLast().reversed().reduce(conditions[conditions.count - 1]) {
                operation($1, $0)
            }
        case .halves:
            conditions.count == 1
                ? conditions[0]
                : operation(
                    join(Array(conditions[..<(conditions.count / 2)]), shape, operation),
                    join(Array(conditions[(conditions.count / 2)...]), shape, operation))
        case .pairs:
            join(
                stride(from: 0, to: conditions.count, by: 2).map {
                    $0 + 1 < conditions.count
                        ? operation(conditions[$0], conditions[$0 + 1]) : conditions[$0]
                }, .left, operation)
        }
    }

    /// The lists that a condition is made of: how many there are, the longest, and how many lie in each other.
    private func lists(_ tree: ConditionTree) -> (nodes: Int, longest: Int, height: Int) {
        switch tree {
        case .all(let members), .any(let members):
            var sum = (nodes: 1, longest: members.count, height: 1)
            for member in members {
                let inner = lists(member)
                sum.nodes += inner.nodes
                sum.longest = max(sum.longest, inner.longest)
                sum.height = max(sum.height, inner.height + 1)
            }
            return sum
        default: return (1, 0, 0)
        }
    }

    /// Each operator copies one list of each level, none of which is long: so the work of building is the number of
    /// operators times a constant, and counted rather than timed.
    @Test(arguments: Shape.allCases)
    func manyPartsAreBuiltInLinearWork(_ shape: Shape) {
        for count in [2, 127, 128, 129, 1_000, 20_000] {
            let tests = (0..<count).map { Self.fields.pages == $0 }
            for isAll in [true, false] {
                let condition = join(tests, shape) { isAll ? $0 && $1 : $0 || $1 }
                let parts = isAll ? condition.tree.conjuncts : condition.tree.alternatives
                #expect(parts == tests.map(\.tree), "\(shape), \(count): in the order written")
                let found = lists(condition.tree)
                #expect(found.longest <= ConditionJoining.width, "\(shape), \(count)")
                #expect(found.height <= 4, "\(shape), \(count)")
                #expect(found.nodes <= count + count / 16 + 2, "\(shape), \(count)")
                #expect(condition.tree.invalidReason == nil)
                #expect(condition.tree.depth == 2)
            }
        }
    }

    @Test func manyAlternativesAnswer() async throws {
        let repository = try await repository(300)
        var condition = Self.fields.pages == 1_000_000
        for number in 0..<20_000 {
            condition =
                condition || Self.fields.pages == number * 7 || Self.fields.title == "x\(number)"
        }
        let found = try await repository.fetch(.where { _ in condition })
        #expect(found.map(\.pages).sorted() == stride(from: 0, to: 300, by: 7).map { $0 })
        #expect(try await repository.count(.where { _ in !condition }) == 300 - found.count)
        #expect(try await repository.count(.where { $0.pages < 20 && condition }) == 3)
        var narrow = Self.fields.pages >= 0
        for number in 0..<20_000 { narrow = narrow && Self.fields.pages != number * 2 }
        #expect(try await repository.count(.where { _ in narrow }) == 150)
        let ids = (0..<20_000).map { Self.fields.code == .init("v\($0)") }
        let byID = ids.dropFirst().reduce(ids[0]) { $0 || $1 }
        let plan = try await repository.explain(.where { _ in byID }).plan
        #expect(
            plan.access
                == .ids((0..<20_000).map { [StoredValue.text("v\($0)")] }.sorted { $0[0] < $1[0] }))
        #expect(try await repository.count(.where { _ in byID }) == 300)
    }

    @Test func longListsAnswer() async throws {
        let repository = try await repository(50)
        let numbers = Array(0..<100_000)
        #expect(try await repository.count(.where { $0.pages.in(numbers) }) == 50)
        #expect(try await repository.count(.where { !$0.pages.in(numbers) }) == 0)
        let codes = numbers.map { Volume.ID("v\($0)") }
        #expect(try await repository.count(.where { $0.code.in(codes) }) == 50)
        #expect(
            try await repository.count(.where { $0.tags.contains("a") || $0.pages.in(numbers) })
                == 50)
    }

    @Test func equalitiesAreAskedAsOneSet() {
        let fields = Self.fields
        let condition =
            fields.pages == 1 || fields.title == "a" || fields.pages.in([2, 3])
            || fields.pages > 9 || fields.title == "b" || fields.subtitle == nil
            || fields.subtitle == "s"
        #expect(
            condition.tree.joiningEqualities
                == .any([
                    .isIn(FieldPath(6), [.integer(1), .integer(2), .integer(3)]),
                    .isIn(FieldPath(1), [.text("a"), .text("b")]),
                    (fields.pages > 9).tree, .isIn(FieldPath(2), [.null, .text("s")]),
                ]))
    }

    // MARK: Depth

    private func nested(_ levels: Int) -> Condition {
        var condition = Self.fields.pages >= 0
        for level in 0..<levels {
            switch level % 3 {
            case 0: condition = condition && Self.fields.title == "t"
            case 1: condition = condition || Self.fields.title == "no"
            default: condition = !condition
            }
        }
        return condition
    }

    @Test func deepOnesAreRefused() async throws {
        let repository = try await repository(3)
        for levels in [128, 1_000, 50_000] {
            let condition = nested(levels)
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await repository.fetch(.where { _ in condition })
            }
            #expect(error?.code == .invalidQuery, "\(levels)")
            #expect(error?.table == "volumes")
            #expect(error?.localizedDescription.contains("128 levels") == true)
            // What it is joined with does not hide it.
            for joined in [
                condition || Self.fields.pages > 0, Self.fields.pages > 0 && condition, !condition,
            ] {
                await #expect(throws: CRUDRepositoryError.self) {
                    try await repository.count(.where { _ in joined })
                }
            }
        }
        var tree = ConditionTree.constant(true)
        for _ in 0..<2_000 { tree = .not(.all([tree])) }
        #expect(Condition(tree).tree.invalidReason != nil)
    }

    /// The deepest condition goes through every part of a query on the stack of a thread of a pool.
    @Test func deepestFitsASmallStack() throws {
        let condition = nested(127)
        #expect(condition.tree.depth == 128)
        let query = Query<Volume>.where { _ in condition }
        let done = DispatchSemaphore(value: 0)
        // Written by the thread before the semaphore is signalled, and read after that.
        nonisolated(unsafe) var result: Result<[String], any Error>?
        let thread = Thread {
            result = Result {
                let evaluator = try QueryEvaluator(query)
                let row = try StoredValueEncoder.values(
                    of: Volume(code: "a", title: "t"), VolumeMapper.self)
                let test = query.condition.tree.compiled(fieldCount: row.count)
                let plan = QueryPlanner(query, InMemoryStore().capabilities).plan()
                return [
                    "\(evaluator.matches(row) == test(row))", "\(plan.isFullScan)",
                    "\(query.condition.tree.hashValue == condition.tree.hashValue)",
                    "\(query.condition == condition)", "\(query)".prefix(6) == "Query<" ? "ok" : "",
                    "\(query.condition.tree.fields == [1, 6])",
                ]
            }
            done.signal()
        }
        thread.stackSize = 512 * 1024
        thread.start()
        done.wait()
        #expect(try result?.get() == ["true", "true", "true", "true", "ok", "true"])
    }
}
