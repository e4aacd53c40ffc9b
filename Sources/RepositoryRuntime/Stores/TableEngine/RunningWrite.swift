/// The write of a transaction that is open, and the transactions nested in it.
struct RunningWrite {
    /// A transaction, and what had been done when it was begun.
    struct Level {
        var number: Int
        var mark: Int
    }

    let write: StoreWrite
    /// The outermost transaction and those nested in it.
    var levels: [Level]
}

extension StoreTables {
    /// Runs a body that changes records, all or none.
    ///
    /// - Parameters:
    ///   - changes: who is told of them.
    ///   - apply: makes the changes that were staged last; until then nothing is stored.
    func write<R>(
        telling changes: StoreChanges, _ body: (StoreWrite) throws -> R,
        apply: () throws -> Void
    ) throws -> R {
        let write = StoreWrite(self, isUndoable: false)
        defer { write.abandon() }
        let result = try body(write)
        try write.commit(telling: changes, apply)
        return result
    }

    /// Begins a transaction, while none is open; returns its number.
    func begin() -> Int {
        lastNumber += 1
        running = RunningWrite(
            write: StoreWrite(self, isUndoable: true),
            levels: [RunningWrite.Level(number: lastNumber, mark: 0)])
        return lastNumber
    }

    /// Begins a transaction nested in another one.
    func begin(in number: Int) throws -> Int {
        let write = try write(of: number)
        lastNumber += 1
        running?.levels.append(RunningWrite.Level(number: lastNumber, mark: write.mark))
        return lastNumber
    }

    /// The write of a transaction.
    ///
    /// - Throws: `transactionEnded`, and `unsupported` while another one is open in it.
    func write(of number: Int) throws -> StoreWrite {
        guard let running, running.levels.contains(where: { $0.number == number }) else {
            throw CRUDRepositoryError.transactionEnded
        }
        guard running.levels.last?.number == number else {
            throw CRUDRepositoryError.unsupported(
                "the use of a transaction while another one is open in it", by: "The store")
        }
        return running.write
    }

    /// Runs a step of a transaction, all or none.
    func step<R>(of number: Int, _ body: (StoreWrite) throws -> R) throws -> R {
        let write = try write(of: number)
        let mark = write.mark
        do {
            let result = try body(write)
            if running?.levels.count == 1 { write.settle() }
            return result
        } catch {
            write.undo(to: mark)
            throw error
        }
    }

    /// Commits a transaction, or hands its changes to the one it is nested in. It is over either way.
    func commit(
        _ number: Int, telling changes: StoreChanges, apply: () throws -> Void
    ) throws {
        do {
            let write = try write(of: number)
            if running?.levels.count == 1 {
                try write.commit(telling: changes, apply)
                running = nil
            } else {
                running?.levels.removeLast()
            }
        } catch {
            rollBack(number)
            throw error
        }
    }

    /// Forgets the changes of a transaction and of those nested in it; nothing where it is over.
    func rollBack(_ number: Int) {
        guard let open = running,
            let level = open.levels.firstIndex(where: { $0.number == number })
        else { return }
        if level == 0 {
            open.write.abandon()
            running = nil
        } else {
            open.write.undo(to: open.levels[level].mark)
            running?.levels.removeSubrange(level...)
        }
    }
}
