#if Encryption
    import Foundation
    import RepositoryEncryption
    import RepositoryRuntime
    import RepositorySQLite
    import RepositoryTesting
    import Testing

    /// Tables and encrypted fields that get other names, over versions.
    @Suite("Encrypted fields that get other names")
    struct EncryptedMovesTests {
        private static let cases: [(IndexedDatabase.Kind, Int)] = {
            let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"
            return IndexedDatabase.kinds.flatMap { kind in
                (0..<(isLong ? 40 : 5)).map { (kind, $0) }
            }
        }()

        @Test("are decrypted and found as before", arguments: cases)
        func random(_ kind: IndexedDatabase.Kind, _ seed: Int) async {
            await Self.expectSound(kind) { moves in try await moves.check(seed: seed) }
        }

        @Test(
            "are decrypted by a version that skips the one that renames them",
            arguments: IndexedDatabase.kinds)
        func spent(_ kind: IndexedDatabase.Kind) async {
            await Self.expectSound(kind) { moves in
                try await moves.check(
                    [
                        [.table(0, "four"), .field(0, 3, "login"), .field(0, 4, "text")],
                        [.forget(0)],
                    ], opened: [3])
            }
        }

        @Test("exchange their names", arguments: IndexedDatabase.kinds)
        func exchanged(_ kind: IndexedDatabase.Kind) async {
            await Self.expectSound(kind) { moves in
                try await moves.check(
                    [
                        [.field(0, 3, "login"), .table(0, "four")],
                        [.field(0, 4, "code"), .table(1, "one")],
                        [.field(0, 3, "memo"), .table(0, "two")],
                        [.forget(0), .forget(1)],
                    ], opened: [4, 5])
            }
        }

        /// Expects that a check of the moves finds nothing wrong on a database.
        private static func expectSound(
            _ kind: IndexedDatabase.Kind, _ check: (Moves) async throws -> Void
        ) async {
            await #expect(throws: Never.self) {
                try await IndexedDatabase.with(kind) { database in
                    let harness = StoreHarness { _ in try database.store() }
                    try await check(Moves(harness, isEncrypted: true))
                }
            }
        }
    }
#endif
