internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Records that stay stored when they are deleted, and those that refer to them.
    static let deletedRelatives: [StoreBehaviour] = [
        softDelete(
            "references", "References to deleted records stay valid; a purge applies `onDelete`.",
            needs: letterNeeds
        ) { trial in
            try await trial.fillMail()
            try await trial.senders.delete("s")
            try await expect(trial.letters.read("a").senderID, is: "s")
            try await trial.letters.create(Letter(id: "z", senderID: "s", changedAt: day(1)))
            try await trial.letters.delete("a")
            try await expectError(.constraintViolated) { try await trial.routes.delete("r") }
            try await trial.senders.purge("s")
            try await expect(
                trial.letters.includingDeleted.ids().map(\.rawValue), is: ["d", "e"])
        },
        softDelete(
            "links", "Conditions find no deleted records behind references and relations.",
            needs: letterNeeds
        ) { trial in
            try await trial.fillMail()
            try await trial.letters.delete("b")
            try await trial.senders.delete("t")
            func letters(_ condition: (Letter.Fields) -> Condition) async throws -> [String] {
                let query = Query<Letter>.where(condition)
                return try await trial.letters.fetch(query).map(\.id.rawValue)
            }
            func senders(_ condition: (Sender.Fields) -> Condition) async throws -> [String] {
                let query = Query<Sender>.where(condition)
                return try await trial.senders.fetch(query).map(\.id.rawValue)
            }
            try await expect(letters { $0.sender.name == "S" }, is: ["a", "c"])
            try await expect(letters { $0.sender.name == "T" }, is: [])
            try await expect(letters { !($0.sender.name == "T") }, is: ["a", "c", "d", "e"])
            try await expect(letters { $0.sender.deletedAt != nil }, is: [])
            try await expect(letters { $0.senderID == "t" }, is: ["d"])
            try await expect(letters { $0.sender.letters.any { $0.weight == 2 } }, is: [])
            try await expect(
                letters { $0.sender.letters.any { $0.weight == 3 } }, is: ["a", "c"])
            try await expect(senders { $0.letters.any { $0.weight == 2 } }, is: [])
            try await expect(senders { $0.letters.none { $0.weight == 2 } }, is: ["s", "u"])
            try await expect(senders { $0.letters.all { $0.weight != 2 } }, is: ["s", "u"])
            try await expect(senders { $0.letters.count == 2 }, is: ["s"])
            try await expect(senders { $0.letters.count >= 3 }, is: [])
            try await expect(senders { $0.routes.count == 1 }, is: ["s"])
            try await expect(senders { $0.routes.any { $0.name == "Q" } }, is: [])
            let deleted = Query<Letter>.where { $0.sender.name == "T" }.includingDeleted()
            try await expect(trial.letters.fetch(deleted).map(\.id), is: ["d"])
            let counted = Query<Sender>.where { $0.letters.count >= 3 }.includingDeleted()
            try await expect(trial.senders.fetch(counted).map(\.id), is: ["s"])
            try await expect(
                trial.routes.fetch(.where { $0.letters.any { $0.weight == 2 } }).map(\.id), is: [])
            try await expect(
                trial.routes.includingDeleted
                    .fetch(.where { $0.letters.any { $0.weight == 2 } }).map(\.id), is: ["q"])
            try await expect(
                trial.letters.count(where: { $0.sender.name == "S" }), is: 2)
            try await expect(
                trial.letters.updateAll(
                    where: { $0.sender.name == "T" }, set: { $0.weight = 9 }), is: 0)
        },
        softDelete(
            "orders", "A deleted record sorts like a missing one, and is not counted.",
            needs: letterNeeds
        ) { trial in
            try await trial.fillMail()
            let byName = Query<Letter>.sorted(by: \.sender.name, .descending)
            try await expect(
                trial.letters.fetch(byName).map(\.id), is: ["d", "a", "b", "c", "e"])
            try await trial.senders.delete("t")
            try await trial.letters.delete("b")
            try await expect(trial.letters.fetch(byName).map(\.id), is: ["a", "c", "d", "e"])
            try await expect(
                trial.letters.fetch(byName.where { $0.sender.name > "A" }).map(\.id),
                is: ["a", "c"])
            try await expect(
                trial.letters.fetch(byName.includingDeleted()).map(\.id),
                is: ["d", "a", "b", "c", "e"])
            let first = try await trial.letters.page(byName.limit(3))
            try expect(first.items.map(\.id), is: ["a", "c", "d"])
            let second = try await trial.letters.page(byName.limit(3), after: first.next)
            try expect(second.items.map(\.id), is: ["e"])
            try await trial.letters.delete("a")
            try await trial.letters.create(Letter(id: "g", senderID: "u", changedAt: day(1)))
            try await trial.letters.create(Letter(id: "h", senderID: "u", changedAt: day(1)))
            let byCount = Query<Sender>.sorted(by: \.letters.count, .descending)
            try await expect(trial.senders.fetch(byCount).map(\.id), is: ["u", "s"])
            try await expect(
                trial.senders.fetch(byCount.includingDeleted()).map(\.id), is: ["s", "u", "t"])
            let byRoutes = Query<Sender>.sorted(by: \.routes.count, .descending)
            try await expect(trial.senders.fetch(byRoutes).map(\.id), is: ["s", "u"])
            let behind = Query<Letter>.sorted(by: \.sender.letters.count, .descending)
            try await expect(trial.letters.fetch(behind).map(\.id), is: ["g", "h", "c", "d", "e"])
        },
        softDelete(
            "loaders", "Loaders load and count no deleted records, unless the query includes them.",
            needs: letterNeeds
        ) { trial in
            try await trial.fillMail()
            try await trial.letters.delete("b")
            try await trial.senders.delete("t")
            let sender = try await trial.senders.read("s")
            try await expect(trial.senders.letters(of: sender).map(\.id), is: ["a", "c"])
            try await expect(trial.senders.letters.count(of: sender), is: 2)
            try await expect(trial.senders.routes(of: sender).map(\.id), is: ["r"])
            try await expect(trial.senders.routes.count(of: sender), is: 1)
            let all = trial.senders.includingDeleted
            try await expect(all.letters(of: sender).map(\.id), is: ["a", "b", "c"])
            try await expect(all.letters.count(of: sender), is: 3)
            try await expect(all.routes(of: sender).map(\.id), is: ["q", "r"])
            try await expect(all.routes.count(of: sender), is: 2)
            let letter = try await trial.letters.read("d")
            try await expect(trial.letters.sender(of: letter)?.id, is: nil)
            try await expect(trial.letters.includingDeleted.sender(of: letter)?.id, is: "t")
            let rows = try await trial.letters.fetch(loading: \.sender)
            try expect(rows.map(\.0.id), is: ["a", "c", "d", "e"])
            try expect(rows.map { $0.1?.id }, is: ["s", "s", nil, nil])
            let whole = try await trial.letters.fetch(
                Query.all.includingDeleted(), loading: \.sender)
            try expect(whole.map { $0.1?.id }, is: ["s", "s", "s", "t", nil])
            let counts = try await trial.senders.fetch(loading: \.letters, counting: \.letters)
            try expect(counts.map { $0.1.map(\.id) }, is: [["a", "c"], []])
            try expect(counts.map(\.2), is: [2, 0])
            let allCounts = try await trial.senders.fetch(
                Query.all.includingDeleted(), counting: \.letters)
            try expect(allCounts.map(\.1), is: [3, 1, 0])
        },
    ]
}

extension StoreTrial {
    /// Creates three senders, two routes and five letters.
    fileprivate func fillMail() async throws {
        for id in ["s", "t", "u"] {
            try await repositories.senders.create(
                Sender(id: .init(id), name: id.uppercased(), town: id))
        }
        for id in ["q", "r"] {
            try await repositories.routes.create(Route(id: .init(id), name: id.uppercased()))
        }
        let now = day(1)
        try await repositories.letters.createAll([
            Letter(id: "a", weight: 1, senderID: "s", routeID: "r", changedAt: now),
            Letter(id: "b", weight: 2, senderID: "s", routeID: "q", changedAt: now),
            Letter(id: "c", weight: 3, senderID: "s", routeID: "r", changedAt: now),
            Letter(id: "d", weight: 4, senderID: "t", changedAt: now),
            Letter(id: "e", weight: 5, changedAt: now),
        ])
    }
}
