#if Encryption
    import CSQLite
    import Foundation
    import RepositoryEncryption
    import RepositoryRuntime
    import RepositorySQL
    import RepositorySQLite
    import Testing

    #if PostgreSQL
        @testable import RepositoryPostgreSQL
    #endif

    /// A database of a test, which is also read and changed as other programs do.
    struct IndexedDatabase: Sendable, CustomTestStringConvertible {
        /// A kind of database.
        enum Kind: Sendable, CaseIterable {
            case sqlite, driver, postgreSQL
        }

        let kind: Kind
        private let folder: ClinicFolder?
        /// The schema in PostgreSQL.
        private let schema: String

        /// The kinds that can be tested: PostgreSQL needs `REPOSITORY_POSTGRESQL`.
        static var kinds: [Kind] {
            #if PostgreSQL
                return ClinicServer.address == nil ? [.sqlite, .driver] : Kind.allCases
            #else
                return [.sqlite, .driver]
            #endif
        }

        var testDescription: String { "\(kind)" }

        /// Runs a body with an empty database.
        static func with(_ kind: Kind, _ body: (IndexedDatabase) async throws -> Void) async throws
        {
            switch kind {
            case .sqlite, .driver:
                try await body(IndexedDatabase(kind: kind, folder: ClinicFolder(), schema: ""))
            case .postgreSQL:
                #if PostgreSQL
                    try await ClinicServer.withSchema { schema in
                        try await body(IndexedDatabase(kind: kind, folder: nil, schema: schema))
                    }
                #endif
            }
        }

        /// A store with keys.
        func store(
            _ keys: KeyRing? = nil, indexKey: EncryptionKey? = .index, tenant: String? = nil
        ) throws -> any EntityStore {
            let encryption = FieldEncryption(try keys ?? .clinic("k1"), indexKey: indexKey)
            #if PostgreSQL
                if kind == .postgreSQL {
                    let store = PostgreSQLStore(
                        try #require(ClinicServer.address), schema: schema, connections: 3,
                        waitTimeout: .seconds(600), lockTimeout: .seconds(600),
                        encryption: encryption)
                    return try tenant.map { try store.tenant($0) } ?? store
                }
            #endif
            let path = try #require(folder).path
            if kind == .driver {
                return SQLStore(ExampleDriver(path: path), encryption: encryption)
            }
            let store = SQLiteStore(path: path, encryption: encryption)
            return try tenant.map { try store.tenant($0) } ?? store
        }

        /// All files of a database in files.
        func files() throws -> [URL] { try folder?.files() ?? [] }

        /// A literal of bytes.
        func literal(_ bytes: Data) -> String {
            let hex = bytes.map { String(format: "%02x", $0) }.joined()
            return kind == .postgreSQL ? "'\\x\(hex)'::bytea" : "X'\(hex)'"
        }

        /// The bytes of the first column of a query.
        func bytes(_ query: String) async throws -> [Data?] {
            #if PostgreSQL
                if kind == .postgreSQL {
                    let result = try await ClinicServer.query(
                        query.replacing("<", with: "\"\(schema)\"."))
                    return (0..<result.count).map {
                        result.isNull($0, 0) ? nil : Data(result.bytes($0, 0))
                    }
                }
            #endif
            return try RawDatabase(try #require(folder).path).allBytes(
                query.replacing("<", with: ""))
        }

        /// Runs statements. `<` precedes the name of a table.
        func run(_ statements: String) async throws {
            #if PostgreSQL
                if kind == .postgreSQL {
                    return try await ClinicServer.run(
                        statements.replacing("<", with: "\"\(schema)\"."))
                }
            #endif
            try RawDatabase(try #require(folder).path).run(statements.replacing("<", with: ""))
        }

        /// The bytes in a column of a member.
        func stored(_ column: String, of member: Member) async throws -> Data {
            let id = member.id.rawValue.uuidString
            return try #require(
                try await bytes("SELECT \(column) FROM <members WHERE id = '\(id)'").first ?? nil)
        }

        /// Sets the bytes in a column of a member.
        func set(_ column: String, _ bytes: Data, of member: Member) async throws {
            let id = member.id.rawValue.uuidString
            try await run("UPDATE <members SET \(column) = \(literal(bytes)) WHERE id = '\(id)'")
        }
    }

    extension RawDatabase {
        /// The bytes of the first column of a query.
        func allBytes(_ query: String) throws -> [Data?] {
            try rows(query) { statement in
                guard let bytes = sqlite3_column_blob(statement, 0) else { return nil }
                return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, 0)))
            }
        }
    }

    extension EncryptionKey {
        /// The key of indexes of most tests.
        static var index: EncryptionKey? { try? index("i1") }

        /// A key of indexes.
        static func index(_ id: String, seed: UInt8 = 3) throws -> EncryptionKey {
            try EncryptionKey(id: id, bytes: Data((0..<32).map { $0 &* 5 &+ seed }))
        }
    }

    extension Member {
        /// Words in the values of samples.
        static let words = ["Shevek", "anarres.example", "0012345", "Odonian", "Urras"]

        /// A member with a value in every field, if the number is even.
        static func sample(_ number: Int) -> Member {
            var member = Member(
                number: number, email: "Shevek\(number)@anarres.example",
                name: "Shevek \(number / 3)")
            guard number.isMultiple(of: 2) else { return member }
            member.alias = "Odonian \(number)"
            member.phone = "0012345-\(number)"
            member.active = number.isMultiple(of: 4)
            member.small = Int8(number % 3) - 1
            member.points = number - 3
            member.weight = Double(number) / 7
            member.height = Float(number) / 7
            member.debt = Decimal(string: "12345678901234567890.\(number)")
            member.price = Decimal(number) / 4
            member.born = Date(timeIntervalSince1970: Double(number) * 1_234.567891)
            member.day = LocalDate("1904-11-\(10 + number % 10)")
            member.card = UUID(
                uuid: (9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, UInt8(number % 5)))
            member.page = URL(string: "https://anarres.example/\(number % 4)")
            member.picture = Data("Urras \(number % 4)".utf8)
            member.blood = [.a, .b, .zero][number % 3]
            member.badge = "Odonian badge"
            return member
        }
    }
#endif
