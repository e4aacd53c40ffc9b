internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Records of one call that exchange unique values.
    static let uniqueExchanges: [StoreBehaviour] = [
        exchange(
            "exchange.swap", "Two records of one `saveAll` can exchange all of their unique values."
        ) { trial in
            var (first, second) = try await twoMembers(trial)
            (first, second) = (exchanged(first, second), exchanged(second, first))
            try await expect(trial.members.saveAll([first, second]), is: [first, second])
            try await expect(trial.members.fetch(), is: [first, second])
            try await expect(trial.members.find(email: first.email), is: first)
            try await expect(trial.members.find(badge: second.badge ?? 0), is: second)
        },
        exchange(
            "exchange.taken",
            "A record of a `saveAll` can take the value that a later record of it releases.",
            inCycle: false
        ) { trial in
            let (first, second) = try await twoMembers(trial)
            var freed = second
            freed.email = "free"
            let new = Member(id: "0", email: second.email)
            var moved = first
            moved.badge = nil
            try await trial.members.saveAll([new, moved, freed])
            try await expect(trial.members.fetch(), is: [new, moved, freed])
        },
        exchange(
            "exchange.unicode",
            "Records whose ids only differ in their Unicode form can pass on a value.",
            inCycle: false
        ) { trial in
            let old = Member(id: "cafe\u{0301}", email: "old", badge: 3)
            try await trial.members.create(old)
            var moved = old
            (moved.email, moved.badge) = ("moved", 1)
            let new = Member(id: "caf\u{00E9}", email: "old", badge: 3)
            try await expect(trial.members.saveAll([new, moved]), is: [new, moved])
            // Their order is that of the bytes of their ids.
            try await expect(trial.members.fetch(), is: [moved, new])
        },
        exchange(
            "exchange.repeated",
            "Only the last of several entities with one id counts for unique values."
        ) { trial in
            let (first, second) = try await twoMembers(trial)
            var (on, last, taking) = (first, first, second)
            on.email = second.email
            taking.email = first.email
            last.email = "last"
            try await trial.members.saveAll([on, taking, last])
            try await expect(trial.members.fetch(), is: [last, taking])
        },
        exchange(
            "exchange.replaced",
            "Values that only an earlier one of several entities with one id has can belong to another record.",
            inCycle: false
        ) { trial in
            var (last, other) = try await twoMembers(trial)
            var held = last
            (held.email, held.badge, held.place) = (other.email, other.badge, other.place)
            last.email = "again"
            try await expect(trial.members.saveAll([held, last]), is: [held, last])
            try await expect(trial.members.fetch(), is: [last, other])
            try await trial.members.replace(where: { $0.id == last.id }, with: [held, last])
            try await expect(trial.members.fetch(), is: [last, other])
        },
        exchange(
            "exchange.shift", "`updateAll` can move the unique numbers of all records by one.",
            inCycle: false
        ) { trial in
            let members = (0..<600).map {
                Member(
                    id: .init("m\(1_000 + $0)"), email: "e\($0)", badge: $0, team: "t", place: $0)
            }
            try await trial.members.createAll(members)
            let count = try await trial.members.updateAll(.all) {
                $0.badge += 1
                $0.place += 1
            }
            try expect(count, is: 600)
            try await trial.members.updateAll(
                .where { $0.badge <= 300 }.sorted(by: \.badge, .descending).limit(300)
            ) { $0.badge -= 1 }
            try await expect(
                trial.members.fetch(.all.sorted(by: \.badge)).compactMap(\.place),
                is: Array(1...600))
            try await expect(trial.members.find(badge: 0)?.id, is: "m1000")
            try await expect(trial.members.find(badge: 300)?.id, is: nil)
        },
        exchange(
            "exchange.replace", "`replace` can reorder records with unique positions.",
            inCycle: false
        ) { trial in
            let places = (1...5).map { (place: Int) in
                Member(id: .init("p\(place)"), email: "\(place)", team: "t", place: place)
            }
            try await trial.members.createAll(places)
            var moved = places.filter { $0.place != 2 }.reversed().enumerated().map {
                var member = $1
                member.place = $0 + 1
                return member
            }
            moved.insert(Member(id: "p6", email: "2", team: "t", place: 5), at: 0)
            try await trial.members.replace(where: { $0.team == "t" }, with: moved)
            try await expect(
                trial.members.fetch(.all.sorted(by: \.place)).map(\.id),
                is: ["p5", "p4", "p3", "p1", "p6"])
        },
        exchange(
            "exchange.policy", "A `saveAll` with a conflict policy can exchange unique values."
        ) { trial in
            var (first, second) = try await twoMembers(trial)
            (first, second) = (exchanged(first, second), exchanged(second, first))
            try await trial.members.saveAll([first, second], conflict: .replace)
            try await expect(trial.members.fetch(), is: [first, second])
        },
        exchange(
            "exchange.transaction",
            "A call of a transaction can exchange unique values, and a rollback restores them."
        ) { trial in
            let (first, second) = try await twoMembers(trial)
            struct Stop: Error {}
            do {
                try await trial.repositories.transaction { set in
                    try await set.members.saveAll([
                        exchanged(first, second), exchanged(second, first),
                    ])
                    throw Stop()
                }
            } catch is Stop {}
            try await expect(trial.members.fetch(), is: [first, second])
            try await trial.repositories.transaction { set in
                try await set.members.saveAll([exchanged(first, second), exchanged(second, first)])
                try await set.members.updateAll(.all) { $0.badge += 1 }
            }
            try await expect(trial.members.fetch().map(\.badge), is: [3, 2])
        },
        StoreBehaviour(
            "exchange.cycle",
            "Without `uniqueExchange`, an exchange in a cycle throws `unsupported`.",
            needs: [.records, .atomicBatches, .uniqueIndexes, .updates, .transactions],
            lacks: [.uniqueExchange]
        ) { trial in
            let (first, second) = try await twoMembers(trial)
            try await expectError(.unsupported, table: "members") {
                try await trial.members.saveAll([
                    exchanged(first, second), exchanged(second, first),
                ])
            }
            try await expect(trial.members.fetch(), is: [first, second])
        },
        exchange(
            "exchange.refused", "An exchange that leaves a value twice changes nothing."
        ) { trial in
            let (first, second) = try await twoMembers(trial)
            let third = Member(id: "c", email: "third")
            try await trial.members.create(third)
            var (a, b) = (exchanged(first, second), exchanged(second, first))
            b.email = "third"
            let changed = [a, b]
            try await expectError(.constraintViolated, id: "b", table: "members", field: "email") {
                try await trial.members.saveAll(changed)
            }
            a.badge = 2
            b = second
            b.email = "other"
            let others = [a, b]
            try await expectError(.constraintViolated, table: "members") {
                try await trial.members.saveAll(others)
            }
            try await expect(trial.members.fetch(), is: [first, second, third])
        },
        exchange(
            "exchange.checked", "Values that checks restrict can be exchanged."
        ) { trial in
            let labels = ["café", "cafeteria"]
            try await trial.offers.createAll([
                Offer(id: "a", low: 1, label: labels[0], stage: .published, price: 1),
                Offer(id: "b", low: 1, label: labels[1], stage: .published, price: 1),
            ])
            try await trial.offers.saveAll([
                Offer(id: "a", low: 1, label: labels[1], stage: .published, price: 1),
                Offer(id: "b", low: 1, label: labels[0], stage: .published, price: 1),
            ])
            try await expect(trial.offers.fetch().map(\.label), is: [labels[1], labels[0]])
            // A check still holds afterwards.
            try await expectError(.invalidItem, id: "a") {
                try await trial.offers.update(Offer(id: "a", low: 0, label: labels[1]))
            }
        },
        exchange(
            "exchange.race", "Tasks that exchange values at once leave every value once."
        ) { trial in
            let members = (0..<8).map { (number: Int) in
                Member(id: .init("m\(number)"), email: "\(number)", badge: number)
            }
            try await trial.members.createAll(members)
            _ = try await concurrently(8) { task in
                for _ in 0..<4 {
                    try await trial.repositories.transaction { set in
                        var (left, right) = (
                            try await set.members.read(.init("m\(task)")),
                            try await set.members.read(.init("m\((task + 1) % 8)"))
                        )
                        (left.badge, right.badge) = (right.badge, left.badge)
                        try await set.members.saveAll([left, right])
                    }
                }
            }
            try await expect(trial.members.fetch().compactMap(\.badge).sorted(), is: Array(0..<8))
        },
    ]

    /// A behaviour of stores whose records can exchange unique values.
    ///
    /// - Parameter inCycle: whether records take values of each other. If not, it is enough to
    ///   write the records in the right order.
    private static func exchange(
        _ id: String, _ sentence: String, inCycle: Bool = true, fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            id, sentence,
            needs: [
                .records, .batches, .atomicBatches, .uniqueIndexes, .updates, .finders, .queries,
                .conflictPolicies, .transactions,
            ] + (inCycle ? [.uniqueExchange] : []), fileID: fileID, line: line, body)
    }
}

/// Creates two members with values in all unique indexes.
private func twoMembers(_ trial: StoreTrial) async throws -> (Member, Member) {
    let first = Member(id: "a", email: "first", badge: 1, team: "t", place: 1, handle: "Éa")
    let second = Member(id: "b", email: "second", badge: 2, team: "t", place: 2, handle: "éB")
    try await trial.members.createAll([first, second])
    return (first, second)
}

/// A member with the unique values of another one.
private func exchanged(_ member: Member, _ other: Member) -> Member {
    Member(
        id: member.id, email: other.email, badge: other.badge, team: other.team,
        place: other.place, handle: other.handle)
}
