internal import RepositoryRuntime

extension StoreBehaviour {
    /// The differences between consecutive results.
    static let observedChanges: [StoreBehaviour] = [
        observed("changesFirst", "In the first result every entity is an insertion.") { trial in
            try await trial.fillNotes("b", "a")
            let first = try await trial.reader(trial.notes.changes()).next()
            try expect(first.items.map(\.id), is: ["a", "b"])
            try expect(
                first.changes,
                is: [
                    .insert(Note(id: "a", text: "a"), at: 0),
                    .insert(Note(id: "b", text: "b"), at: 1),
                ])
        },
        observed("changesInsert", "The index of an insertion refers to the new result.") { trial in
            try await trial.fillNotes("a", "c")
            let reader = trial.reader(trial.notes.changes())
            _ = try await reader.next()
            try await trial.fillNotes("b")
            try await expect(
                reader.next().changes, is: [.insert(Note(id: "b", text: "b"), at: 1)])
        },
        observed("changesDelete", "The index of a deletion refers to the old result.") { trial in
            try await trial.fillNotes("a", "b", "c")
            let reader = trial.reader(trial.notes.changes())
            _ = try await reader.next()
            try await trial.notes.delete("b")
            try await expect(
                reader.next().changes, is: [.delete(Note(id: "b", text: "b"), at: 1)])
        },
        observed("changesUpdate", "The index of an update refers to the old result.") { trial in
            try await trial.fillNotes("a", "b", "c")
            let reader = trial.reader(trial.notes.changes())
            _ = try await reader.next()
            try await trial.notes.update(Note(id: "c", text: "new"))
            try await expect(
                reader.next().changes, is: [.update(Note(id: "c", text: "new"), at: 2)])
        },
        observed("changesMove", "The indexes of a move refer to the old and to the new result.") {
            trial in
            for (rank, id) in ["a", "b", "c", "d"].enumerated() {
                try await trial.notes.create(Note(id: .init(id), text: "", rank: rank))
            }
            let reader = trial.reader(trial.notes.changes(.sorted(by: \.rank)))
            _ = try await reader.next()
            try await trial.notes.update(Note(id: "a", text: "", rank: 2))
            try await expect(reader.next().items.map(\.id), is: ["b", "a", "c", "d"])
            try await trial.notes.update(Note(id: "d", text: "", rank: -1))
            try await expect(
                reader.next().changes,
                is: [.move(Note(id: "d", text: "", rank: -1), from: 3, to: 0)])
        },
        observed(
            "changesAll", "Simultaneous changes of all kinds are reported together.",
            needs: [.transactions]
        ) { trial in
            for (rank, id) in ["a", "b", "c", "d", "e"].enumerated() {
                try await trial.notes.create(Note(id: .init(id), text: "", rank: rank))
            }
            let reader = trial.reader(trial.notes.changes(.sorted(by: \.rank)))
            _ = try await reader.next()
            try await trial.repositories.transaction { library in
                try await library.notes.delete("b")
                try await library.notes.update(Note(id: "c", text: "new", rank: 2))
                try await library.notes.update(Note(id: "a", text: "", rank: 9))
                try await library.notes.create(Note(id: "f", text: "", rank: 3))
            }
            // The order changes from a b c d e to c d f e a.
            try await expect(
                reader.next().changes,
                is: [
                    .delete(Note(id: "b", text: "", rank: 1), at: 1),
                    .update(Note(id: "c", text: "new", rank: 2), at: 2),
                    .insert(Note(id: "f", text: "", rank: 3), at: 2),
                    .move(Note(id: "a", text: "", rank: 9), from: 0, to: 4),
                ])
        },
        observed(
            "changesRandom", "The differences transform the old result into the new one."
        ) { trial in
            let queries: [Query<Note>] = [
                .all, .sorted(by: \.rank), Query.sorted(by: \.rank, .descending).limit(4),
                Query.where { $0.rank > 3 }.sorted(by: \.text),
                Query.sorted(by: \.rank).offset(2).limit(5),
            ]
            let seed = UInt64.random(in: .min ... .max)
            do {
                try await trial.followsRandomWrites(queries, seed: seed)
            } catch var failure as ExpectationFailure {
                failure.message += " (seed \(seed))"
                throw failure
            }
        },
    ]
}

extension StoreTrial {
    /// Writes random notes, and throws unless the differences lead from each result to the next.
    fileprivate func followsRandomWrites(_ queries: [Query<Note>], seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let notes = repositories.notes
        let readers = queries.map { reader(notes.changes($0)) }
        var results: [[Note]] = []
        for reader in readers { try await results.append(reader.next().items) }
        for _ in 0..<60 {
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                try await writeAtRandom(&random)
            }
            for (index, query) in queries.enumerated() {
                let expected = try await notes.fetch(query)
                if expected == results[index] { continue }
                let next = try await readers[index].next()
                try expect(next.items, is: expected)
                try expect(applied(next.changes, to: results[index]), is: expected)
                results[index] = expected
            }
        }
    }

    /// Creates, changes or deletes random notes.
    private func writeAtRandom(_ random: inout SeededGenerator) async throws {
        let id = Note.ID("\(Int.random(in: 0..<12, using: &random))")
        let rank = Int.random(in: 0..<7, using: &random)
        let text = ["x", "y", "z"][Int.random(in: 0..<3, using: &random)]
        let isThere = try await repositories.notes.exists(id)
        if isThere, Int.random(in: 0..<3, using: &random) == 0 {
            try await repositories.notes.delete(id)
        } else {
            try await repositories.notes.save(Note(id: id, text: text, rank: rank))
        }
    }

    /// Applies differences to a result as documented at ``/RepositoryRuntime/QueryChange``.
    private func applied(_ changes: [QueryChange<Note>], to old: [Note]) -> [Note] {
        var old: [Note?] = old
        var coming: [(Note, Int)] = []
        for change in changes {
            switch change {
            case .update(let note, let index): old[index] = note
            case .delete(_, let index): old[index] = nil
            case .insert(let note, let index): coming.append((note, index))
            case .move(let note, let from, let to):
                old[from] = nil
                coming.append((note, to))
            }
        }
        var new = old.compactMap(\.self)
        for (note, index) in coming.sorted(by: { $0.1 < $1.1 }) { new.insert(note, at: index) }
        return new
    }
}
