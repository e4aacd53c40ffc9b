import RepositoryTesting
import Synchronization
import Testing

/// How many behaviours were shown by each store, by area, printed once its suite is done.
final class Tally: Sendable {
    static let shared = Tally()

    private struct Cell: Hashable {
        var store: String
        var area: String
    }

    private struct Count {
        var passed = 0
        var left = 0
    }

    private let cells = Mutex<[Cell: Count]>([:])

    /// Counts the outcome of one behaviour on a store.
    func count(_ outcome: BehaviourOutcome, area: String, of store: String) {
        let cell = Cell(store: store, area: area)
        cells.withLock { cells in
            switch outcome {
            case .passed: cells[cell, default: Count()].passed += 1
            case .notApplicable, .notRestricted: cells[cell, default: Count()].left += 1
            }
        }
    }

    /// A table of areas and stores whose names start so: how many behaviours each store has shown. A behaviour that a
    /// store's capabilities do not ask for is not counted; `-` stands where none is asked for.
    func report(_ prefix: String) -> String {
        let cells = cells.withLock { $0 }.filter { $0.key.store.hasPrefix(prefix) }
        let stores = Set(cells.keys.map(\.store)).sorted()
        let areas = Set(cells.keys.map(\.area)).sorted()
        let width = (areas.map(\.count).max() ?? 0) + 2
        var lines = stores.enumerated().map { "\($0 + 1)  \($1)" }
        func line(_ name: String, _ texts: [String]) -> String {
            name.padding(to: width) + texts.map { $0.padding(before: 6) }.joined()
        }
        lines.append(line("", stores.indices.map { "\($0 + 1)" }))
        for area in areas {
            lines.append(
                line(
                    area,
                    stores.map { store in
                        let count = cells[Cell(store: store, area: area)]?.passed ?? 0
                        return count == 0 ? "-" : "\(count)"
                    }))
        }
        let sums = stores.map { store in
            cells.filter { $0.key.store == store }.reduce(0) { $0 + $1.value.passed }
        }
        lines.append(line("all", sums.map { "\($0)" }))
        let most = areas.map { area in
            stores.map { cells[Cell(store: $0, area: area)].map { $0.passed + $0.left } ?? 0 }.max()
                ?? 0
        }
        lines.append("\(most.reduce(0, +)) behaviours in \(areas.count) areas")
        return lines.joined(separator: "\n")
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    fileprivate func padding(before width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}

/// Prints the tally of a suite when the suite is done.
struct TallyTrait: SuiteTrait, TestScoping {
    let prefix: String

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await function()
        print(Tally.shared.report(prefix))
    }
}

extension Trait where Self == TallyTrait {
    /// Prints a table of the stores whose names start with `prefix`.
    static func tally(_ prefix: String) -> Self { TallyTrait(prefix: prefix) }
}
