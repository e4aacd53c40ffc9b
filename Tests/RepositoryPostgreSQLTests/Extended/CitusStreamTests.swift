#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    /// Streams of tables that are distributed by a field.
    @Suite(
        "Citus: streams", .serialized,
        .enabled(if: CitusCluster.isGiven, CitusCluster.reason))
    struct CitusStreamTests {
        @Test("move each record once, and return it once")
        func records() async throws {
            let name = "citus-streams"
            try await CitusCluster.drop(name)
            let sent = LongStreams.Sent()
            var options = LongStreams.options(CitusCluster.address, name, connections: 6, sent)
            options.streams.pageSize = 100
            let store = PostgreSQLStore(options)
            let library = Conformance.plain(store)
            try await library.open()
            let companies = (0..<40).map { Company(id: Company.ID("c'\($0)\\")) }
            _ = try await library.companies.createAll(companies)
            for company in companies {
                _ = try await library.accounts.createAll(
                    (0..<50).map {
                        Account(companyID: company.id, number: $0, label: "\($0) it's")
                    })
            }
            let all = try await library.accounts.fetch(.all)
            #expect(all.count == 2_000)
            let leases = store.statistics.leases
            var found: [Account] = []
            for try await account in library.accounts.stream(.all) { found.append(account) }
            #expect(found == all)
            // One page, and what the statement returns.
            #expect(sent.copies == 1)
            #expect(store.statistics.leases == leases + 2)
            found = []
            for try await account in library.accounts.stream() { found.append(account) }
            #expect(found == all && sent.copies == 2)
            #expect(store.statistics.leases == leases + 4)
            let query = Query<Account>.where { $0.number < 30 }
                .sorted(by: \.label, .descending).allowingFullScan()
            let expected = try await library.accounts.fetch(query)
            found = []
            for try await account in library.accounts.stream(query) { found.append(account) }
            #expect(found == expected && sent.copies == 3)
            for try await account in library.accounts.stream(.all) where account == all[300] {
                break
            }
            try await LongStreams.expectNoLease(store)
            try await store.close()
            try await CitusCluster.drop(name)
        }
    }
#endif
