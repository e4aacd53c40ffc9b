/// Reduces a failing program to a smaller one that still fails.
///
/// The algorithm is greedy delta debugging (Zeller, Hildebrandt: Simplifying and isolating
/// failure-inducing input, 2002). The first smaller candidate that fails replaces the program,
/// until no candidate fails. It is deterministic.
struct Shrinker<Program> {
    /// The maximum number of programs to run.
    var runs = 3_000
    /// Returns smaller candidates, the much smaller ones first.
    let smaller: (Program) -> [Program]
    /// Returns whether a program fails.
    let fails: (Program) async throws -> Bool

    /// Returns the smallest failing program found.
    func shrink(_ program: Program) async throws -> Program {
        var program = program
        var left = runs
        search: while true {
            for candidate in smaller(program) {
                guard left > 0 else { return program }
                left -= 1
                guard try await fails(candidate) else { continue }
                program = candidate
                continue search
            }
            return program
        }
    }
}

extension Array {
    /// The array without a range of elements: first without each half, then without each quarter,
    /// and so on.
    var withoutParts: [[Element]] {
        var arrays: [[Element]] = []
        var size = count
        while size > 0 {
            for start in stride(from: 0, to: count, by: size) {
                arrays.append(Array(self[..<start]) + self[Swift.min(count, start + size)...])
            }
            size /= 2
        }
        return arrays
    }
}
