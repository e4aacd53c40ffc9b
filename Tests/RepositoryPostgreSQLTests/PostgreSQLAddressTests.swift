#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Testing

    @testable import RepositoryPostgreSQL

    @Suite("Addresses of PostgreSQL") struct PostgreSQLAddressTests {
        @Test(
            "with a password that is not encoded are refused, and no part of it is repeated",
            arguments: [
                "postgresql://app:se/zq1w8@localhost/db",
                "postgresql://app:se@zq1w8@localhost/db",
                "postgresql://app:se#zq1w8@localhost/db",
                "postgresql://app:se?zq1w8@localhost/db",
                "postgresql://app:se:zq1w8@127.0.0.1:1/d@b",
                "postgresql://app:se%zq1w8@localhost/db",
                "postgresql://app:se[zq1w8@localhost/db#x",
                "host=localhost password=se zq1w8 user=app",
                "host=localhost password='se'zq1w8 user=app",
                "host=localhost user=app password='sezq1w8",
                "jdbc:postgresql://app:sezq1w8@localhost/db?sslmode=require",
                "postgres+ssl://app:sezq1w8@localhost/db", "app:sezq1w8@localhost/db",
                "//app:sezq1w8@localhost/db?sslmode=require", "host=localhost pw= sezq1w8",
            ])
        func hidden(address: String) async throws {
            let store = PostgreSQLStore(address, connectTimeout: .seconds(2))
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await store.open(StoreSchema("empty", []))
            }
            let text = try "\(#require(error)) \(String(reflecting: error))"
            #expect(!text.contains("zq1"), "\(text)")
            try await store.close()
        }

        @Test("are in no description and no dump of a store, nor of what has it")
        func reflected() async throws {
            let address = "postgresql://app:sezq1w8@127.0.0.1:1/db"
            let store = PostgreSQLStore(address, connectTimeout: .seconds(2))
            await #expect(throws: CRUDRepositoryError.self) {
                try await store.open(StoreSchema("empty", []))
            }
            for value: Any in [store, try store.tenant("acme"), store.options, store.access] {
                var text = "\(value) \(String(reflecting: value))"
                dump(value, to: &text)
                #expect(!text.contains("zq1"), "\(text)")
            }
            try await store.close()
        }

        @Test(
            "that begin like another URL, or have a mode that does not exist, are refused",
            arguments: [
                "http://app:sezq1w8@localhost/db", "jdbc:postgresql://app:sezq1w8@localhost/db",
                "postgres+ssl://app:sezq1w8@localhost/db", "app:sezq1w8@localhost/db",
                "POSTGRESQL://app:sezq1w8@localhost/db",
                " postgresql://app:sezq1w8@localhost/db", "postgres:/app:sezq1w8@localhost/db",
                "postgresql://app:sezq1w8@localhost/db?sslmode=bogus", "sslmode=bogus",
            ])
        func refused(address: String) async throws {
            let store = PostgreSQLStore(address, connectTimeout: .seconds(2))
            let error = await #expect(throws: CRUDRepositoryError.self) {
                try await store.open(StoreSchema("empty", []))
            }
            let text = try "\(#require(error)) \(String(reflecting: error))"
            #expect(!text.contains("zq1"), "\(text)")
            #expect(error?.isRetryable == false)
            #expect(text.contains("'postgresql://'") || text.contains("verify-full"), "\(text)")
            try await store.close()
        }

        @Test(
            "that libpq can read are left to it",
            arguments: [
                "postgresql://app:se%2Fzq1%40w8@localhost:5432/db?sslmode=require",
                "postgresql://app@a,b:5432,[::1]:5433/db?target_session_attrs=read-write",
                "postgresql:///db?host=/var/run/postgresql", "host='/tmp' password='se zq1'",
                "db", "", "service=production",
            ])
        func accepted(address: String) throws {
            try PostgreSQLAddress.check(address)
        }
    }
#endif
