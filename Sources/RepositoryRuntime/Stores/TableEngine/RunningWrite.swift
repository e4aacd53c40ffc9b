/// The write of the open transaction and its nested transactions.
///
/// All levels share one ``StoreWrite``. A nested transaction is a position in its undo log.
struct RunningWrite {
    /// One level: a transaction and the position in the undo log at which it began.
    struct Level {
        /// The number of the transaction, from ``StoreTables/lastNumber``.
        var number: Int
        /// The ``StoreWrite/mark`` when the transaction began.
        var mark: Int
    }

    /// The changes of all levels.
    let write: StoreWrite
    /// The outermost transaction, followed by the nested ones, innermost last.
    var levels: [Level]
}

/// Transactions. A transaction is identified by its number, because its handle may outlive it. Only
/// the innermost open transaction can be used.
extension StoreTables {
    /// Runs a body that changes records. Either all changes are stored or none.
    ///
    /// Used for single operations outside a transaction.
    ///
    /// - Parameters:
    ///   - changes: notifies the observers after the commit.
    ///   - apply: writes the staged changes of all tables. It does nothing in a store in memory,
    ///     whose tables change when they are staged.
    func write<R>(
        telling changes: StoreChanges, _ body: (StoreWrite) throws -> R,
        apply: () throws -> Void
    ) throws -> R {
        let write = StoreWrite(self, isUndoable: false)
        defer { write.abandon() }
        let result = try body(write)
        try write.endCall()
        try write.commit(telling: changes, apply)
        return result
    }

    /// Begins a transaction and returns its number. No other transaction may be open.
    func begin() -> Int {
        lastNumber += 1
        running = RunningWrite(
            write: StoreWrite(self, isUndoable: true),
            levels: [RunningWrite.Level(number: lastNumber, mark: 0)])
        return lastNumber
    }

    /// Begins a transaction nested in another and returns its number.
    ///
    /// - Throws: `transactionEnded`, or `unsupported` if the outer transaction already has an open
    ///   nested transaction.
    func begin(in number: Int) throws -> Int {
        let write = try write(of: number)
        lastNumber += 1
        running?.levels.append(RunningWrite.Level(number: lastNumber, mark: write.mark))
        return lastNumber
    }

    /// Returns the write of a transaction.
    ///
    /// - Throws: `transactionEnded` if the transaction is over, or `unsupported` while a nested
    ///   transaction is open in it.
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

    /// Runs one step of a transaction. If the body throws, its changes are undone.
    ///
    /// In the outermost transaction, a successful step clears the undo log, because only a nested
    /// transaction can be rolled back partially. With nested transactions open, the log is kept for
    /// their rollback.
    func step<R>(of number: Int, _ body: (StoreWrite) throws -> R) throws -> R {
        let write = try write(of: number)
        let mark = write.mark
        do {
            let result = try body(write)
            try write.endCall()
            if running?.levels.count == 1 { write.settle() }
            return result
        } catch {
            write.undo(to: mark)
            throw error
        }
    }

    /// Commits a transaction. The changes of a nested transaction pass to the outer transaction.
    ///
    /// The transaction ends even if the commit throws; its changes are then rolled back.
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

    /// Rolls back a transaction and the transactions nested in it. Does nothing if the transaction
    /// is over.
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
