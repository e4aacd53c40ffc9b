/// Makes a program that fails smaller as long as it still fails.
///
/// Greedy delta debugging (Zeller, Hildebrandt: Simplifying and isolating failure-inducing input, 2002): the first of the
/// smaller programs that fails too takes its place, until none does. Nothing is left to chance, so that the same program
/// always ends as the same small one.
struct Shrinker<Program> {
    /// How often a program is run at most.
    var runs = 3_000
    /// Smaller programs, the much smaller ones first.
    let smaller: (Program) -> [Program]
    /// Whether a program fails.
    let fails: (Program) async throws -> Bool

    /// The smallest program found.
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
    /// The array without some of its elements that stand together: first without a half, then without a quarter, and so on.
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
