internal import RepositoryRuntime

extension StoreBehaviour {
    /// Transactions over distributed entities.
    static let distributedTransactions: [StoreBehaviour] = [
        distributed("transfer", "A transaction over several owners happens as a whole.") { trial in
            try await trial.fillAccounts()
            struct Stop: Error {}
            for fails in [true, false] {
                do {
                    try await trial.repositories.transaction { set in
                        for company in Company.owners {
                            let id = Account.ID(companyID: company, number: 1)
                            var account = try await set.accounts.read(id)
                            account.balance += 100
                            try await set.accounts.update(account)
                            try await expect(set.accounts.read(id), is: account)
                        }
                        try await expect(
                            set.accounts.count(.where { $0.balance > 100 }), is: 6)
                        if fails { throw Stop() }
                    }
                } catch is Stop {}
                try await expect(
                    trial.accounts.count(.where { $0.balance > 100 }), is: fails ? 0 : 6)
            }
        },
        distributed("nested", "A nested transaction over several owners can be undone.") { trial in
            try await trial.fillAccounts()
            struct Stop: Error {}
            try await trial.repositories.transaction { set in
                try await set.accounts.updateAll(.where { $0.number == 1 }) { $0.balance = 7 }
                do {
                    try await set.transaction { set in
                        try await set.accounts.updateAll(.where { $0.number == 2 }) {
                            $0.balance = 7
                        }
                        try await set.payments.deleteAll()
                        throw Stop()
                    }
                } catch is Stop {}
                try await set.accounts.updateAll(.where { $0.number == 3 }) { $0.balance = 7 }
            }
            try await expect(trial.accounts.count(.where { $0.balance == 7 }), is: 12)
            try await expect(trial.payments.count(), is: 12)
        },
        distributed("failed", "A transaction goes on after an operation that fails.") { trial in
            try await trial.fillAccounts()
            try await trial.repositories.transaction { set in
                try await set.accounts.create(Account(companyID: "c0", number: 8, label: "eighth"))
                try await expectError(.constraintViolated, table: "accounts") {
                    try await set.accounts.create(
                        Account(companyID: "c1", number: 8, label: "first"))
                }
                try await expectError(.recordAlreadyExists, id: "EUR", table: "currencies") {
                    try await set.currencies.create(Currency(code: "EUR"))
                }
                try await set.accounts.create(Account(companyID: "c1", number: 8, label: "eighth"))
            }
            try await expect(trial.accounts.count(.where { $0.number == 8 }), is: 2)
        },
        distributed("counter", "Transactions of several tasks on one owner's record lose nothing.")
        {
            trial in
            try await trial.fillAccounts()
            _ = try await concurrently(4) { _ in
                for _ in 0..<3 {
                    let id = Account.ID(companyID: "c1", number: 1)
                    try await trial.accounts.updateAll(.where { $0.id == id }) { $0.balance += 100 }
                }
            }
            try await expect(
                trial.accounts.read(.init(companyID: "c1", number: 1)).balance, is: 1_211)
        },
        distributed(
            "skew", "Two transactions cannot both rely on what the other one changes.",
            needs: [.concurrentWriters], lacks: [.distribution]
        ) { trial in
            try await trial.fillAccounts()
            // The balances of two owners may not both become zero.
            _ = try await concurrently(2) { task in
                try await trial.repositories.transaction { set in
                    let ids = ["c0", "c1"].map {
                        Account.ID(companyID: .init($0), number: 1)
                    }
                    var accounts = try await [
                        set.accounts.read(ids[0]), set.accounts.read(ids[1]),
                    ]
                    guard accounts.allSatisfy({ $0.balance > 0 }) else { return }
                    try await Task.sleep(for: .milliseconds(20))
                    accounts[task].balance = 0
                    try await set.accounts.update(accounts[task])
                }
            }
            try await expect(trial.accounts.count(.where { $0.balance == 0 }), is: 1)
        },
        distributed(
            "snapshot", "A snapshot reads one state of the records of all owners.",
            needs: [.snapshots, .concurrentWriters], lacks: [.distribution]
        ) { trial in
            try await trial.fillAccounts()
            let snapshot = try await trial.store.snapshot()
            do {
                try await expect(snapshot.count(Company.self), is: 6)
                try await trial.accounts.updateAll(.all) { $0.balance = 5 }
                for (place, company) in Company.owners.enumerated() {
                    let account = try await snapshot.read(
                        Account.self, id: .init(companyID: company, number: 1))
                    try expect(account.balance, is: place * 10 + 1)
                }
            } catch {
                await snapshot.rollBack()
                throw error
            }
            await snapshot.rollBack()
            try await expect(trial.accounts.count(.where { $0.balance == 5 }), is: 18)
        },
        distributed(
            "observed", "Observers are told of changes to all owners.", needs: [.observation]
        ) { trial in
            try await trial.fillAccounts()
            var iterator = trial.accounts.observe(.where { $0.number == 1 }).makeAsyncIterator()
            try await expect(iterator.next()?.count, is: 6)
            try await trial.accounts.updateAll(.all) { $0.balance = 5 }
            try await expect(iterator.next()?.map(\.balance), is: [5, 5, 5, 5, 5, 5])
        },
    ]
}
