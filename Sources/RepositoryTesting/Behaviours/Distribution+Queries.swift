internal import RepositoryRuntime

extension StoreBehaviour {
    /// Queries of distributed entities.
    static let distributedQueries: [StoreBehaviour] = [
        distributed("owner", "A query of one owner returns its records.") { trial in
            try await trial.fillAccounts()
            let query = Query<Account>.where { $0.companyID == "c3" }.sorted(
                by: \.balance, .descending)
            try await expect(trial.accounts.fetch(query).map(\.balance), is: [33, 32, 31])
            try await expect(trial.accounts.fetch(query.offset(1).limit(1)).map(\.number), is: [2])
            try await expect(trial.accounts.count(query), is: 3)
            try await expect(trial.accounts.maximum(of: \.balance, from: query), is: 33)
            try await expect(trial.payments.large(company: "c3", least: 150).map(\.number), is: [2])
            try await expect(trial.payments.large(company: "c9", least: 0), is: [])
        },
        distributed("all", "A query of all owners sorts, skips and counts.") { trial in
            try await trial.fillAccounts()
            let query = Query<Account>.where { $0.balance >= 20 && $0.balance < 50 }
                .sorted(by: \.balance)
            try await expect(
                trial.accounts.fetch(query).map(\.balance),
                is: [21, 22, 23, 31, 32, 33, 41, 42, 43])
            try await expect(
                trial.accounts.fetch(query.offset(2).limit(3)).map(\.balance), is: [23, 31, 32])
            try await expect(trial.accounts.count(query), is: 9)
            try await expect(trial.accounts.sum(of: \.balance, from: query), is: 288)
            try await expect(trial.accounts.minimum(of: \.balance, from: query), is: 21)
            let labels = try await trial.accounts.group(by: \.label, .count)
            try expect(labels.map(\.1), is: [6, 6, 6])
            let sums = try await trial.accounts.group(by: \.companyID, .sum(of: \.balance))
            try expect(sums.map(\.1), is: [6, 36, 66, 96, 126, 156])
            var cursor: QueryCursor?
            var found: [Int] = []
            while true {
                let page = try await trial.accounts.page(query.limit(4), after: cursor)
                found += page.items.map(\.balance)
                guard let next = page.next else { break }
                cursor = next
            }
            try expect(found, is: [21, 22, 23, 31, 32, 33, 41, 42, 43])
        },
        distributed("relatives", "Conditions reach the records of all machines.") { trial in
            try await trial.fillAccounts()
            let set = trial.repositories
            try await expect(
                set.payments.fetch(
                    .where { $0.account.label == "second" && $0.company.name > "n6" }
                ).map(\.companyID), is: ["c0", "c1", "c2"])
            try await expect(
                set.accounts.fetch(.where { $0.currency.digits == 0 }).map(\.number),
                is: [2, 2, 2, 2, 2, 2])
            try await expect(
                set.payments.count(.where { $0.account.currency.name == "euro" }), is: 6)
            try await expect(
                set.companies.fetch(.where { $0.accounts.any { $0.balance > 42 } }).map(\.id),
                is: ["c4", "c5"])
            try await expect(
                set.companies.fetch(.where { $0.payments.none { $0.amount > 0 } }).map(\.id), is: []
            )
            try await expect(
                set.accounts.fetch(.where { $0.payments.none { $0.amount > 0 } }).map(\.number),
                is: [3, 3, 3, 3, 3, 3])
            try await expect(
                set.currencies.fetch(.where { $0.accounts.any { $0.balance == 52 } }).map(\.code),
                is: ["JPY"])
            try await expect(
                set.currencies.fetch(.where { $0.accounts.none { $0.balance == 52 } }).map(\.code),
                is: ["EUR"])
            try await expect(
                set.currencies.fetch(.where { $0.accounts.count == 6 }).map(\.code),
                is: ["EUR", "JPY"])
            try await expect(
                set.companies.fetch(.where { $0.accounts.count > 3 }).map(\.id), is: [])
            try await expect(
                set.accounts.count(.where { $0.payments.count == 0 }), is: 6)
        },
        distributed("relativeOrder", "Records are sorted by those of other machines.") { trial in
            try await trial.fillAccounts()
            let set = trial.repositories
            try await expect(
                set.payments.fetch(.sorted(by: \.company.name).sorted(by: \.number)).first?
                    .companyID,
                is: "c5")
            try await expect(
                set.payments.fetch(.sorted(by: \.account.balance, .descending).limit(3))
                    .map(\.companyID), is: ["c5", "c5", "c4"])
            try await trial.accounts.create(Account(companyID: "c3", number: 7, currencyID: "JPY"))
            try await expect(
                set.currencies.fetch(.sorted(by: \.accounts.count, .descending)).map(\.code),
                is: ["JPY", "EUR"])
            try await expect(
                set.companies.fetch(.sorted(by: \.accounts.count, .descending)).first?.id, is: "c3")
        },
        distributed("loading", "Entities are read with their relatives.") { trial in
            try await trial.fillAccounts()
            let set = trial.repositories
            let query = Query<Account>.where { $0.number == 1 }.sorted(by: \.companyID)
            for (account, company, currency, payments) in try await set.accounts.fetch(
                query, loading: \.company, \.currency, \.payments)
            {
                try expect(company?.id, is: account.companyID)
                try expect(currency?.code, is: "EUR")
                try expect(payments.map(\.number), is: [1])
            }
            let counted = try await set.companies.fetch(.all, counting: \.accounts, \.payments)
            try expect(counted.map(\.1), is: [3, 3, 3, 3, 3, 3])
            try expect(counted.map(\.2), is: [2, 2, 2, 2, 2, 2])
        },
        distributed("updateAll", "`updateAll` changes the records of all owners or of none.") {
            trial in
            try await trial.fillAccounts()
            try await expect(
                trial.accounts.updateAll(.where { $0.number == 2 }) { $0.balance += 1_000 }, is: 6)
            try await expect(trial.accounts.count(.where { $0.balance >= 1_000 }), is: 6)
            try await expectError(.invalidItem, table: "accounts") {
                try await trial.accounts.updateAll(.all) { $0.balance += 999_990 }
            }
            try await expect(trial.accounts.count(.where { $0.balance > 900_000 }), is: 0)
            try await expect(
                trial.payments.updateAll(.where { $0.company.name == "n9" }) { $0.amount = 5 },
                is: 2)
            try await expect(trial.payments.count(.where { $0.revision == 2 }), is: 2)
        },
        distributed("updateRace", "Updates of all owners by several tasks lose no change.") {
            trial in
            try await trial.fillAccounts()
            _ = try await concurrently(4) { _ in
                for _ in 0..<3 {
                    try await trial.accounts.updateAll(.where { $0.number == 1 }) {
                        $0.balance += 1_000
                    }
                }
            }
            try await expect(
                trial.accounts.fetch(.where { $0.number == 1 }.sorted(by: \.balance))
                    .map(\.balance), is: [12_001, 12_011, 12_021, 12_031, 12_041, 12_051])
        },
        distributed("deleteWhere", "Records of all owners are deleted by a condition.") { trial in
            try await trial.fillAccounts()
            try await expect(
                trial.payments.deleteAll(where: { $0.amount == 200 }), is: 6)
            try await expect(
                trial.accounts.deleteAll(where: { $0.number > 1 }), is: 12)
            try await expect(trial.accounts.count(), is: 6)
        },
    ]
}
