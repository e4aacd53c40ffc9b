internal import RepositoryRuntime

extension StoreBehaviour {
    /// Entities with `distribute`, which a distributed database spreads over its machines. They mean
    /// the same on every store.
    static let distribution: [StoreBehaviour] =
        distributedRecords + distributedReferences + distributedQueries + distributedTransactions

    private static let distributedRecords: [StoreBehaviour] = [
        distributed("records", "Records of all owners are created, read, changed and deleted.") {
            trial in
            try await trial.fillAccounts()
            for company in Company.owners {
                let id = Account.ID(companyID: company, number: 1)
                var account = try await trial.accounts.read(id)
                account.balance += 7
                try await trial.accounts.update(account)
                try await expect(trial.accounts.read(id), is: account)
                account.label = "saved"
                try await trial.accounts.save(account)
                try await expect(trial.accounts.read(id).label, is: "saved")
                try await trial.accounts.delete(.init(companyID: company, number: 3))
            }
            try await expect(trial.accounts.count(), is: 2 * Company.owners.count)
            try await expectError(.recordNotFound, id: "c0,3", table: "accounts") {
                try await trial.accounts.read(.init(companyID: "c0", number: 3))
            }
            try await expectError(.recordNotFound, id: "c0,3", table: "accounts") {
                try await trial.accounts.update(Account(companyID: "c0", number: 3))
            }
            try await expectError(.recordNotFound, id: "c0,3", table: "accounts") {
                try await trial.accounts.delete(.init(companyID: "c0", number: 3))
            }
        },
        distributed("ids", "Owners can have the same numbers; one owner has each number once.") {
            trial in
            try await trial.fillAccounts()
            let known = Account(companyID: "c1", number: 2, label: "again")
            try await expectError(.recordAlreadyExists, id: "c1,2", table: "accounts") {
                try await trial.accounts.create(known)
            }
            try await expectError(.recordAlreadyExists, table: "accounts") {
                try await trial.accounts.createAll([
                    Account(companyID: "c1", number: 9, label: "new"), known,
                ])
            }
            try await expect(trial.accounts.count(), is: 3 * Company.owners.count)
        },
        distributed("unique", "A unique index compares the records of one owner.") { trial in
            try await trial.fillAccounts()
            try await expectError(
                .constraintViolated, id: "c2,9", table: "accounts", field: "companyID"
            ) {
                try await trial.accounts.create(
                    Account(companyID: "c2", number: 9, label: "first"))
            }
            var second = try await trial.accounts.read(.init(companyID: "c2", number: 2))
            second.label = "first"
            let changed = second
            try await expectError(
                .constraintViolated, id: "c2,2", table: "accounts", field: "companyID"
            ) { try await trial.accounts.update(changed) }
            try await expectError(.constraintViolated, table: "accounts", field: "companyID") {
                try await trial.accounts.saveAll([
                    Account(companyID: "c1", number: 9, label: "ninth"), changed,
                ])
            }
            try await expect(trial.accounts.exists(.init(companyID: "c1", number: 9)), is: false)
        },
        distributed("everywhere", "Records that every machine has are unique, too.") { trial in
            try await trial.fillAccounts()
            try await expectError(.recordAlreadyExists, id: "EUR", table: "currencies") {
                try await trial.currencies.create(Currency(code: "EUR"))
            }
            try await expectError(
                .constraintViolated, id: "XXX", table: "currencies", field: "name"
            ) { try await trial.currencies.create(Currency(code: "XXX", name: "euro")) }
            var euro = try await trial.currencies.read("EUR")
            euro.digits = 3
            try await trial.currencies.update(euro)
            try await expect(trial.currencies.find(name: "euro"), is: euro)
            try await expect(trial.currencies.ids(), is: ["EUR", "JPY"])
        },
        distributed(
            "released", "A call can pass on a unique value between records of an owner.",
            needs: [.uniqueExchange]
        ) { trial in
            try await trial.fillAccounts()
            let taken = Account(companyID: "c3", number: 4, label: "first")
            var free = try await trial.accounts.read(.init(companyID: "c3", number: 1))
            free.label = "free"
            try await trial.accounts.saveAll([taken, free])
            try await expect(
                trial.accounts.fetch(.where { $0.companyID == "c3" }.sorted(by: \.number))
                    .map(\.label), is: ["free", "second", "third", "first"])
        },
        distributed("batches", "A call with records of several owners is atomic.") { trial in
            try await trial.fillAccounts()
            let before = try await trial.accounts.fetch()
            var all = before
            for place in all.indices { all[place].balance += 1 }
            all.append(Account(companyID: "c0", number: 8, label: "second"))
            let changed = all
            try await expectError(.constraintViolated, table: "accounts") {
                try await trial.accounts.saveAll(changed)
            }
            try await expect(trial.accounts.fetch(), is: before)
            try await trial.accounts.saveAll(Array(changed.dropLast()))
            try await expect(trial.accounts.fetch(), is: Array(changed.dropLast()))
            try await trial.payments.deleteAll()
            let ids = before.map(\.id)
            try await expect(trial.accounts.deleteAll(ids: ids), is: ids.count)
            try await expect(trial.accounts.fetch(), is: [])
        },
        distributed("bulk", "Many records of many owners are stored and listed by id.") { trial in
            let companies = (0..<40).map { Company(id: .init("b\(100 + $0)")) }
            try await trial.companies.createAll(companies)
            let accounts = companies.flatMap { company in
                (0..<10).map {
                    Account(companyID: company.id, number: $0, label: "l\($0)", balance: $0)
                }
            }
            try await trial.accounts.createAll(accounts.reversed())
            try await expect(trial.accounts.fetch(), is: accounts)
            try await expect(trial.accounts.stream(pageSize: 64).gathered(), is: accounts)
            try await expect(trial.accounts.ids(), is: accounts.map(\.id))
            try await expect(trial.accounts.sum(of: \.balance), is: 1_800)
            try await expect(trial.accounts.deleteAll(), is: 400)
            try await expect(trial.accounts.count(), is: 0)
        },
        distributed("versions", "A lock on a record works on every machine.") { trial in
            try await trial.fillAccounts()
            let stale = try await trial.payments.read(.init(number: 1, companyID: "c4"))
            var fresh = stale
            fresh.amount = 99
            try await expect(trial.payments.update(fresh).revision, is: 2)
            try await expectError(.versionConflict, id: "1,c4", table: "payments") {
                try await trial.payments.update(stale)
            }
            try await expectError(.versionConflict, id: "1,c4", table: "payments") {
                try await trial.payments.save(stale)
            }
            try await expect(trial.payments.read(stale.id).amount, is: 99)
        },
        distributed("rules", "Rules and checks hold on every machine.") { trial in
            try await trial.fillAccounts()
            for company in Company.owners {
                try await expectError(.invalidItem, table: "accounts") {
                    try await trial.accounts.create(
                        Account(companyID: company, number: 9, balance: 1_000_001))
                }
                try await expectError(.invalidItem, table: "accounts") {
                    try await trial.accounts.create(
                        Account(companyID: company, number: 9, balance: -1))
                }
            }
            try await expect(trial.accounts.count(), is: 3 * Company.owners.count)
        },
    ]

    /// A behaviour of entities with `distribute`.
    static func distributed(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [],
        lacks: [StoreCapability] = [], fileID: String = #fileID, line: Int = #line,
        _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            "distribution.\(id)", sentence,
            needs: [
                .records, .listing, .batches, .atomicBatches, .uniqueIndexes, .references,
                .versions,
                .updates, .finders, .queries, .transactions,
            ] + needs, lacks: lacks, fileID: fileID, line: line, body)
    }
}

extension Company {
    /// The owners of the stored accounts: enough for several machines.
    static let owners: [Company.ID] = ["c0", "c1", "c2", "c3", "c4", "c5"]
}

extension StoreTrial {
    /// Stores currencies, companies, three accounts of each, and two payments of each.
    ///
    /// The balances are the number of the owner times 10 plus the number of the account. The first
    /// accounts are in EUR, the second in JPY. The payments 1 and 2 are of the accounts 1 and 2,
    /// their amounts are 100 and 200.
    func fillAccounts() async throws {
        try await self.currencies.createAll([
            Currency(code: "EUR", name: "euro"), Currency(code: "JPY", name: "yen", digits: 0),
        ])
        try await self.companies.createAll(
            Company.owners.enumerated().map { Company(id: $1, name: "n\(9 - $0)") })
        for (place, company) in Company.owners.enumerated() {
            try await self.accounts.createAll([
                Account(
                    companyID: company, number: 1, label: "first", balance: place * 10 + 1,
                    currencyID: "EUR"),
                Account(
                    companyID: company, number: 2, label: "second", balance: place * 10 + 2,
                    currencyID: "JPY"),
                Account(companyID: company, number: 3, label: "third", balance: place * 10 + 3),
            ])
            try await self.payments.createAll(
                (1...2).map {
                    Payment(
                        number: $0, companyID: company,
                        accountID: .init(companyID: company, number: $0), amount: $0 * 100)
                })
        }
    }
}
