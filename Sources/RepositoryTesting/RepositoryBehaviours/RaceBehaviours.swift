internal import RepositoryRuntime

extension RepositoryBehaviour {
    /// All behaviours, by area.
    public static let all: [RepositoryBehaviour] = [methods, items, ids, races].flatMap { $0 }

    /// Methods called by concurrent tasks.
    static let races: [RepositoryBehaviour] = [
        RepositoryBehaviour("races.oneWinner", "One of 64 tasks that create the same id succeeds.")
        {
            trial in
            let results = try await concurrently(64) { number in
                try await code { try await trial.create("a", number) }
            }
            let winners = results.indices.filter { results[$0] == nil }
            try expect(winners.count, is: 1, "Not exactly one task created the item.")
            try expect(
                results.compactMap { $0 }, is: Array(repeating: .recordAlreadyExists, count: 63))
            try await expect(trial.read("a"), is: winners[0])
        },
        RepositoryBehaviour(
            "races.twoRepositories", "One of 64 tasks with two repositories at one place succeeds.",
            needs: [.persistent]
        ) { trial in
            let other = try await trial.reopened()
            let results = try await concurrently(64) { number in
                try await code { try await (number % 2 == 0 ? trial : other).create("a", number) }
            }
            try expect(results.filter { $0 == nil }.count, is: 1)
        },
        RepositoryBehaviour("races.manyIDs", "64 tasks that create different ids all succeed.") {
            trial in
            let results = try await concurrently(64) { number in
                try await code { try await trial.create("id-\(number)", number) }
            }
            try expect(results.compactMap { $0 }, is: [])
            for number in 0..<64 { try await expect(trial.read("id-\(number)"), is: number) }
        },
        RepositoryBehaviour("races.delete", "One of 64 tasks that delete the same item succeeds.") {
            trial in
            try await trial.create("a", "item")
            let results = try await concurrently(64) { _ in
                try await code { try await trial.delete("a") }
            }
            try expect(results.filter { $0 == nil }.count, is: 1)
            try expect(results.compactMap { $0 }, is: Array(repeating: .recordNotFound, count: 63))
        },
        RepositoryBehaviour(
            "races.wholeItems", "A reader sees either the old or the new item, never a mixture."
        ) { trial in
            @Sendable func item(_ number: Int) -> [Int] { Array(repeating: number, count: 5_000) }
            try await trial.create("a", item(0))
            _ = try await concurrently(8) { task in
                for round in 1...25 {
                    if task % 2 == 0 {
                        try await trial.update("a", item(task * 100 + round))
                    } else {
                        let read = try await trial.read("a", as: [Int].self)
                        try expect(
                            read, is: item(read.first ?? -1),
                            "An item is a mixture of two versions.")
                    }
                }
            }
        },
        RepositoryBehaviour("races.updateDeleted", "An update never restores a deleted item.") {
            trial in
            for round in 0..<20 {
                let id = "id-\(round)"
                try await trial.create(id, 0)
                _ = try await concurrently(8) { task in
                    try await code {
                        if task == 4 {
                            try await trial.delete(id)
                        } else {
                            try await trial.update(id, task)
                        }
                    }
                }
                try await trial.expectNothing(id)
            }
        },
    ]
}
