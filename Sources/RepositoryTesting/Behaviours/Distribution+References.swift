internal import RepositoryRuntime

extension StoreBehaviour {
    /// References between distributed entities.
    static let distributedReferences: [StoreBehaviour] = [
        distributed("missing", "A record that refers to none is rejected, and the field named.") {
            trial in
            try await trial.fillAccounts()
            try await expectError(
                .constraintViolated, id: "new,1", table: "accounts", field: "companyID"
            ) { try await trial.accounts.create(Account(companyID: "new", number: 1)) }
            try await expectError(
                .constraintViolated, id: "9,c1", table: "payments", field: "accountID"
            ) {
                try await trial.payments.create(
                    Payment(
                        number: 9, companyID: "c1", accountID: .init(companyID: "c1", number: 9)))
            }
            try await expectError(
                .constraintViolated, id: "9,c1", table: "payments", field: "reserveID"
            ) {
                try await trial.payments.save(
                    Payment(
                        number: 9, companyID: "c1", accountID: .init(companyID: "c1", number: 1),
                        reserveID: .init(companyID: "c1", number: 9)))
            }
            try await expectError(
                .constraintViolated, id: "c1,9", table: "accounts", field: "currencyID"
            ) {
                try await trial.accounts.create(
                    Account(companyID: "c1", number: 9, currencyID: "XXX"))
            }
            try await expect(trial.payments.count(), is: 12)
        },
        distributed("missingInBatch", "A batch with a dangling reference names record and field.") {
            trial in
            try await trial.fillAccounts()
            try await expectError(
                .constraintViolated, id: "8,c3", table: "payments", field: "accountID"
            ) {
                try await trial.payments.createAll([
                    Payment(
                        number: 8, companyID: "c2", accountID: .init(companyID: "c2", number: 1)),
                    Payment(
                        number: 8, companyID: "c3", accountID: .init(companyID: "c3", number: 7)),
                ])
            }
            try await expectError(
                .constraintViolated, id: "c5,1", table: "accounts", field: "currencyID"
            ) {
                try await trial.accounts.saveAll([
                    Account(companyID: "c4", number: 1, label: "first"),
                    Account(companyID: "c5", number: 1, label: "first", currencyID: "XXX"),
                ])
            }
            try await expect(trial.payments.count(), is: 12)
            try await expect(
                trial.accounts.read(.init(companyID: "c4", number: 1)).currencyID, is: "EUR")
        },
        distributed("missingInMany", "A large batch with a dangling reference stores nothing.") {
            trial in
            try await trial.fillAccounts()
            let payments = (10..<310).map { number in
                Payment(
                    number: number, companyID: Company.owners[number % 6],
                    accountID: .init(
                        companyID: Company.owners[number % 6], number: number == 200 ? 9 : 1))
            }
            try await expectError(.constraintViolated, table: "payments", field: "accountID") {
                try await trial.payments.createAll(payments)
            }
            try await expect(trial.payments.count(), is: 12)
        },
        distributed("later", "In a transaction a record can refer to one that is created later.") {
            trial in
            try await trial.repositories.transaction { set in
                for company: Company.ID in ["x", "y", "z"] {
                    let account = Account(companyID: company, number: 1)
                    try await set.payments.create(
                        Payment(number: 1, companyID: company, accountID: account.id))
                    try await set.accounts.create(account)
                    try await set.companies.create(Company(id: company))
                }
            }
            try await expect(trial.payments.count(), is: 3)
        },
        distributed("atCommit", "A transaction with a dangling reference names the field.") {
            trial in
            try await trial.fillAccounts()
            for owners in [["c0"], ["c1", "c2", "c3", "c4"]] as [[Company.ID]] {
                try await expectError(
                    .constraintViolated, table: "payments", field: "accountID"
                ) {
                    try await trial.repositories.transaction { set in
                        for company in owners {
                            try await set.payments.create(
                                Payment(
                                    number: 9, companyID: company,
                                    accountID: .init(companyID: company, number: 9)))
                        }
                    }
                }
                try await expectError(
                    .constraintViolated, table: "accounts", field: "currencyID"
                ) {
                    try await trial.repositories.transaction { set in
                        for company in owners {
                            try await set.accounts.update(
                                Account(companyID: company, number: 3, currencyID: "XXX"))
                        }
                    }
                }
            }
            try await expect(trial.payments.count(), is: 12)
        },
        distributed("undone", "What a nested transaction has undone need not be there.") { trial in
            try await trial.fillAccounts()
            struct Stop: Error {}
            try await trial.repositories.transaction { set in
                do {
                    try await set.transaction { set in
                        try await set.payments.create(
                            Payment(
                                number: 9, companyID: "c0",
                                accountID: .init(companyID: "c0", number: 9)))
                        throw Stop()
                    }
                } catch is Stop {}
                try await set.companies.create(Company(id: "new"))
            }
            try await expect(trial.companies.exists("new"), is: true)
        },
        distributed("restrict", "A record to which others refer cannot be deleted.") { trial in
            try await trial.fillAccounts()
            try await expectError(.constraintViolated, id: "c1,1", table: "accounts") {
                try await trial.accounts.delete(.init(companyID: "c1", number: 1))
            }
            try await expectError(.constraintViolated, id: "EUR", table: "currencies") {
                try await trial.currencies.delete("EUR")
            }
            try await expectError(.constraintViolated, table: "accounts") {
                try await trial.accounts.deleteAll(ids: [
                    .init(companyID: "c1", number: 3), .init(companyID: "c2", number: 2),
                ])
            }
            try await expectError(.constraintViolated, table: "accounts") {
                try await trial.accounts.deleteAll()
            }
            try await expectError(.constraintViolated) {
                try await trial.repositories.transaction { set in
                    try await set.currencies.delete("JPY")
                }
            }
            try await expectError(.constraintViolated) {
                try await trial.repositories.transaction { set in
                    try await set.accounts.delete(.init(companyID: "c5", number: 1))
                }
            }
            try await expect(trial.accounts.count(), is: 18)
            try await expect(trial.currencies.count(), is: 2)
        },
        distributed("again", "A transaction can delete a record and create it again.") { trial in
            try await trial.fillAccounts()
            try await trial.repositories.transaction { set in
                let account = try await set.accounts.read(.init(companyID: "c1", number: 1))
                try await set.accounts.delete(account.id)
                try await set.accounts.create(account)
            }
            try await expect(trial.accounts.count(), is: 18)
        },
        distributed("cascade", "A cascade deletes the records of one owner.") { trial in
            try await trial.fillAccounts()
            try await trial.payments.deleteAll(where: { $0.companyID == "c2" })
            try await trial.companies.delete("c2")
            try await expect(trial.accounts.count(.where { $0.companyID == "c2" }), is: 0)
            try await expect(trial.accounts.count(), is: 15)
            try await trial.payments.deleteAll()
            try await trial.companies.deleteAll()
            try await expect(trial.accounts.count(), is: 0)
        },
    ]
}
