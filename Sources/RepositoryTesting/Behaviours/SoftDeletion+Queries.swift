internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Batches of records that stay stored when they are deleted.
    static let deletedBatches: [StoreBehaviour] = [
        softDelete(
            "deleteAll", "A batch deletes the records that are not deleted yet, and counts them.",
            needs: letterNeeds
        ) { trial in
            try await trial.fillLetters()
            try await expect(trial.letters.deleteAll(ids: ["a", "d", "e", "e", "z"]), is: 2)
            try await expect(trial.letters.ids().map(\.rawValue), is: ["b", "c"])
            try await expect(trial.letters.includingDeleted.read("d").erasedAt, is: day(10))
            try await expect(trial.letters.deleteAll(where: { $0.weight <= 4 }), is: 2)
            try await expect(trial.letters.deleteAll(ids: []), is: 0)
            try await expect(trial.letters.count(), is: 0)
            try await expect(trial.letters.includingDeleted.count(), is: 5)
            let restored = try await trial.letters.restoreAll(ids: ["a", "b", "b", "z"])
            try expect(restored, is: 2)
            try await expect(trial.letters.restoreAll(ids: ["a"]), is: 0)
            try await expect(trial.letters.deleteAll(), is: 2)
            try await expect(trial.letters.includingDeleted.deleteAll(), is: 0)
            try await expect(trial.letters.restoreAll(where: { $0.weight >= 2 }), is: 4)
            try await expect(trial.letters.ids().map(\.rawValue), is: ["b", "c", "d", "e"])
        },
        softDelete(
            "many", "Thousands of records are deleted and restored in one step.",
            needs: letterNeeds
        ) { trial in
            let ids = (0..<1_200).map { Letter.ID("\($0)") }
            try await trial.letters.createAll(ids.map { Letter(id: $0, changedAt: day(1)) })
            try await expect(trial.letters.deleteAll(ids: ids), is: 1_200)
            try await expect(trial.letters.count(), is: 0)
            try await expect(trial.letters.restoreAll(ids: ids), is: 1_200)
            try await expect(trial.letters.count(), is: 1_200)
            try await expect(trial.letters.deleteAll(where: { $0.weight == 0 }), is: 1_200)
            try await expect(trial.letters.purgeAll(ids: ids), is: 1_200)
            try await expect(trial.letters.includingDeleted.count(), is: 0)
        },
        softDelete(
            "updateAll", "An update of a query leaves deleted records as they are.",
            needs: letterNeeds
        ) { trial in
            try await trial.fillLetters()
            try await expect(
                trial.letters.updateAll(where: { $0.weight > 0 }, set: { $0.weight += 10 }), is: 4)
            try await expect(trial.letters.includingDeleted.read("d").weight, is: 4)
            let all = Query<Letter>.where { $0.weight > 0 }.includingDeleted()
            try await expect(trial.letters.updateAll(all) { $0.weight += 10 }, is: 5)
            try await expect(trial.letters.includingDeleted.read("d").weight, is: 14)
            try await expect(
                trial.letters.includingDeleted.updateAll(
                    where: { $0.id == "d" }, set: { $0.erasedAt = nil }), is: 1)
            try await expect(trial.letters.exists("d"), is: true)
        },
        softDelete(
            "replace", "A replacement deletes what it leaves out, and takes its unique values.",
            needs: letterNeeds
        ) { trial in
            let now = day(1)
            try await trial.letters.create(Letter(id: "a", place: 1, changedAt: now))
            try await trial.letters.create(Letter(id: "b", place: 2, changedAt: now))
            try await trial.letters.replace(
                where: { $0.weight == 0 }, with: [Letter(id: "c", place: 1, changedAt: now)])
            try await expect(trial.letters.ids().map(\.rawValue), is: ["c"])
            try await expect(trial.letters.includingDeleted.count(), is: 3)
            try await expectError(.invalidQuery) {
                try await trial.letters.replace(
                    where: { $0.weight == 0 },
                    with: [Letter(id: "d", changedAt: now, erasedAt: now)])
            }
            try await expect(trial.letters.ids().map(\.rawValue), is: ["c"])
        },
        softDelete(
            "purgeAll", "A purge of a condition removes deleted and other records.",
            needs: letterNeeds
        ) { trial in
            try await trial.fillLetters()
            try await expect(trial.letters.purgeAll(where: { $0.erasedAt < day(10) }), is: 0)
            try await expect(trial.letters.purgeAll(where: { $0.erasedAt <= day(10) }), is: 1)
            try await expect(trial.letters.includingDeleted.exists("d"), is: false)
            try await expect(trial.letters.purgeAll(where: { $0.weight < 3 }), is: 2)
            try await expect(
                trial.letters.includingDeleted.ids().map(\.rawValue), is: ["c", "e"])
            try await expect(trial.letters.purgeAll(ids: ["c", "c", "z"]), is: 1)
        },
        softDelete(
            "conflicts", "A conflict policy compares with deleted records, too.",
            needs: letterNeeds + [.conflictPolicies]
        ) { trial in
            let letter = try await trial.letters.create(
                Letter(id: "a", text: "old", changedAt: day(1)))
            try await trial.set(at: 10).letters.delete("a")
            var edited = letter
            edited.text = "new"
            let kept = try await trial.letters.save(edited, conflict: .keepStored)
            try expect(kept.erasedAt, is: day(10))
            let merged = try await trial.letters.save(edited, conflict: .merge(from: letter))
            try expect(merged.text, is: "new")
            try expect(merged.erasedAt, is: day(10))
            try await trial.letters.save(edited, conflict: .replace)
            try await expect(trial.letters.read("a").text, is: "new")
        },
    ]

    /// Reads and queries of records that stay stored when they are deleted.
    static let deletedInQueries: [StoreBehaviour] = [
        softDelete(
            "lists", "Deleted records are absent from counts, ids, lists and streams.",
            needs: [.listing, .queries, .updates]
        ) { trial in
            let repository = trial.counterfoils
            for page in 1...9 {
                try await repository.create(Counterfoil(page: page, name: "a"))
            }
            for page in [1, 4, 5, 6, 9] {
                try await repository.delete(.init(page: page, name: "a"))
            }
            try await expect(repository.count(), is: 4)
            try await expect(repository.count(.all), is: 4)
            try await expect(repository.ids().map(\.page), is: [2, 3, 7, 8])
            try await expect(repository.fetch().map(\.page), is: [2, 3, 7, 8])
            for size in [1, 2, 3, 10] {
                try await expect(
                    repository.stream(pageSize: size).gathered().map(\.page), is: [2, 3, 7, 8])
            }
            let all = repository.includingDeleted
            try await expect(all.count(), is: 9)
            try await expect(all.count(.all), is: 9)
            try await expect(repository.count(Query.all.includingDeleted()), is: 9)
            try await expect(all.ids().count, is: 9)
            try await expect(all.fetch().count, is: 9)
            try await expect(all.stream(pageSize: 2).gathered().count, is: 9)
        },
        softDelete(
            "queries", "Every kind of query leaves deleted records out, unless it includes them.",
            needs: letterNeeds
        ) { trial in
            try await trial.fillLetters()
            let letters = trial.letters
            let heavy = Query<Letter>.where { $0.weight >= 3 }
            for (query, ids) in [
                (heavy, ["c", "e"]), (heavy.includingDeleted(), ["c", "d", "e"]),
                (.where { $0.erasedAt != nil }, []),
                (.where { $0.erasedAt != nil }.includingDeleted(), ["d"]),
                (.where { !($0.weight < 3) || $0.id == "a" }, ["a", "c", "e"]),
                (.all, ["a", "b", "c", "e"]), (Query.all.includingDeleted(), Letter.letters),
            ] {
                try await expect(letters.fetch(query).map(\.id.rawValue), is: ids)
                try await expect(letters.ids(query).map(\.rawValue), is: ids)
                try await expect(letters.count(query), is: ids.count)
                try await expect(letters.project(\.id, from: query).map(\.rawValue), is: ids)
                try await expect(letters.fetchOne(query)?.id.rawValue, is: ids.first)
                var streamed: [String] = []
                for try await letter in letters.stream(query) {
                    streamed.append(letter.id.rawValue)
                }
                try expect(streamed, is: ids)
                try await expect(letters.group(by: \.id, from: query).count, is: ids.count)
            }
            try await expect(letters.exists { $0.weight == 4 }, is: false)
            try await expect(letters.includingDeleted.exists { $0.weight == 4 }, is: true)
            try await expect(letters.sum(of: \.weight), is: 11)
            try await expect(letters.includingDeleted.sum(of: \.weight), is: 15)
            try await expect(letters.maximum(of: \.weight, from: .where { $0.weight < 5 }), is: 3)
            try await expect(letters.heavy(least: 3).map(\.id), is: ["e", "c"])
            try await expect(
                letters.includingDeleted.heavy(least: 3).map(\.id), is: ["e", "d", "c"])
            try await expect(letters.fetch(ids: ["c", "d"]).keys.map(\.rawValue), is: ["c"])
        },
        softDelete(
            "pages", "Pages hold no deleted records, and a deletion shifts no page.",
            needs: letterNeeds
        ) { trial in
            try await trial.fillLetters()
            let query = Query<Letter>.sorted(by: \.weight, .descending).limit(2)
            let first = try await trial.letters.page(query)
            try expect(first.items.map(\.id), is: ["e", "c"])
            try await trial.letters.delete("c")
            let second = try await trial.letters.page(query, after: first.next)
            try expect(second.items.map(\.id), is: ["b", "a"])
            try expect(second.next == nil, "There is no third page.")
            let all = try await trial.letters.page(query.includingDeleted())
            try expect(all.items.map(\.id), is: ["e", "d"])
            let rest = try await trial.letters.includingDeleted.page(query, after: all.next)
            try expect(rest.items.map(\.id), is: ["c", "b"])
        },
        softDelete(
            "finders", "Generated finders find no deleted records.",
            needs: letterNeeds + [.finders]
        ) { trial in
            try await trial.fillLetters()
            try await expect(trial.letters.findAll(weight: 4), is: [])
            try await expect(trial.letters.includingDeleted.findAll(weight: 4).map(\.id), is: ["d"])
            try await expect(trial.letters.findAll(weight: 5).map(\.id), is: ["e"])
        },
        softDelete(
            "plan", "A partial index of records that are not deleted serves ordinary queries.",
            needs: letterNeeds + [.indexScans]
        ) { trial in
            let query = Query<Sender>.where { $0.town == "t" }.sorted(by: \.name)
            let strict = trial.repositories(fullScans: .refuse)
            for name in ["b", "a", "c"] {
                try await trial.senders.create(Sender(id: .init(name), name: name, town: "t"))
            }
            try await trial.senders.delete("b")
            try await expect(strict.senders.fetch(query).map(\.id), is: ["a", "c"])
            let explanation = try await strict.senders.explain(query)
            let text = explanation.description
            try expect(text.contains("by_town"), "The plan uses the index: \(text)")
            try await expectError(.fullScanRefused) {
                try await strict.senders.fetch(query.includingDeleted())
            }
            try await expect(strict.senders.fetch(.all).map(\.id), is: ["a", "c"])
            try await expect(strict.senders.fetch().map(\.id), is: ["a", "c"])
            try await expect(strict.senders.count(), is: 2)
        },
        softDelete(
            "search", "A search finds no deleted records, unless it includes them.",
            needs: letterNeeds
        ) { trial in
            try await trial.fillLetters()
            try await expect(trial.letters.search("word").map(\.id), is: ["a", "b", "c", "e"])
            try await expect(trial.letters.count(searching: "word"), is: 4)
            try await expect(
                trial.letters.search("word", .where { $0.weight > 2 }).map(\.id), is: ["c", "e"])
            try await expect(
                trial.letters.search("word", Query.all.includingDeleted()).map(\.id.rawValue),
                is: Letter.letters)
            let page = try await trial.letters.page(searching: "word", .limit(3))
            let next = try await trial.letters.page(
                searching: "word", .limit(3), after: page.next)
            try expect((page.items + next.items).map(\.id), is: ["a", "b", "c", "e"])
            try await trial.letters.restore("d")
            try await expect(trial.letters.count(searching: "word"), is: 5)
        },
        softDelete(
            "observation",
            "A deletion is observed as a removal, and a restoration as an insertion.",
            needs: letterNeeds + [.observation]
        ) { trial in
            try await trial.fillLetters()
            let list = trial.reader(trial.letters.observe(.where { $0.weight > 2 }))
            let all = trial.reader(
                trial.letters.observe(.where { $0.weight > 2 }.includingDeleted()))
            let count = trial.reader(trial.letters.observeCount())
            let record = trial.reader(trial.letters.observeOne(id: "c"))
            let changes = trial.reader(trial.letters.changes())
            try await expect(list.next().map(\.id), is: ["c", "e"])
            try await expect(all.next().map(\.id), is: ["c", "d", "e"])
            try await expect(count.next(), is: 4)
            try await expect(record.next()?.id, is: "c")
            _ = try await changes.next()
            try await trial.letters.delete("c")
            try await expect(list.next().map(\.id), is: ["e"])
            try await expect(all.next().map { $0.erasedAt == nil }, is: [false, false, true])
            try await expect(count.next(), is: 3)
            try await expect(record.next()?.id, is: nil)
            let removal = try await changes.next().changes
            guard case .delete(let gone, at: 2) = removal.first, removal.count == 1 else {
                return try expect(false, "A deletion is a removal: \(removal)")
            }
            try expect(gone.id, is: "c")
            try await trial.letters.restore("c")
            try await expect(list.next().map(\.id), is: ["c", "e"])
            try await expect(record.next()?.id, is: "c")
            let insertion = try await changes.next().changes
            guard case .insert(_, at: 2) = insertion.first, insertion.count == 1 else {
                return try expect(false, "A restoration is an insertion: \(insertion)")
            }
        },
    ]
}

extension Letter {
    /// The ids of the letters of ``StoreTrial/fillLetters()``.
    static let letters = ["a", "b", "c", "d", "e"]
}

extension StoreTrial {
    /// Creates five letters, of which `d` is deleted.
    func fillLetters() async throws {
        try await repositories.letters.createAll(
            Letter.letters.enumerated().map { index, id in
                Letter(id: .init(id), text: "word", weight: index + 1, changedAt: day(1))
            })
        try await set(at: 10).letters.delete("d")
    }
}
