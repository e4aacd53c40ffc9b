import Foundation
import RepositoryRuntime
import RepositorySQLite
import RepositoryTesting
import Synchronization
import Testing

/// A club whose clients were split and merged, and whose addresses were recomputed.
@Suite("Tables migrated together", .timeLimit(.minutes(60)))
struct ClubMigrationTests {
    private static let sqlite = StoreHarness { place in
        store(at: place)
    }

    private static func store(at place: StoreLocation) -> SQLiteStore {
        SQLiteStore(path: place.directory.appending(path: "club.sqlite").path)
    }

    @Test("Data of every version migrates on every store")
    func everyStore() async throws {
        let report = try await checkMigrations(
            Club.self, migrations: ClubFunctions(),
            stores: StoreHarness.persistentStores + [Self.sqlite], records: 30)
        #expect(report.versions == [1, 2, 3])
        #expect(report.stores.count == 6)
        // Versions 1 to 3 need three, two and one function.
        #expect(report.calls == 6 * 6)
        #expect(report.leftOut == [:])
    }

    @Test("A function that depends on the order of records is caught")
    func order() async throws {
        let failure = try await Self.failure { number, _, _ in number.isMultiple(of: 2) }
        #expect(failure.message.contains("'clientAddressTo2' is not pure"))
        #expect(failure.expected != failure.actual)
    }

    @Test("A store that loses records is caught", arguments: [1, 15])
    func lostRecords(kept: Int) async throws {
        let failure = try await Self.failure { number, _, opened in opened < 2 || number < kept }
        // Visits refer to some of the clients. The store that loses one of those refuses.
        let isLost = failure.message == "The record is lost." && failure.table == "clients"
        #expect(
            isLost || failure.message.contains("records of 'visits' refer to records"),
            "\(failure.message)")
        #expect(failure.version == 1)
    }

    @Test("A function that writes a record twice is caught")
    func twice() async throws {
        let failure = try await Self.failure(isTwice: true) { _, _, _ in true }
        #expect(failure.message.contains("get the same id"))
    }

    @Test("A function that throws is caught")
    func throwing() async throws {
        struct Problem: Error {}
        let failure = try await Self.failure { _, _, _ in throw Problem() }
        #expect(failure.message.contains("'clientAddressTo2' throws"))
    }

    /// The failure of a check with functions that write only some clients.
    ///
    /// - Parameters:
    ///   - isTwice: whether they write clients twice.
    ///   - isWritten: whether a client is written: by its number, itself, and how often the store
    ///     has been opened. The first time, a program of the old version writes the records.
    private static func failure(
        isTwice: Bool = false, _ isWritten: @escaping WrongFunctions.Choice
    ) async throws -> MigrationCheckFailure {
        let functions = WrongFunctions(isTwice: isTwice, isWritten)
        let harness = StoreHarness { place in
            functions.count()
            return store(at: place)
        }
        let error = await #expect(throws: MigrationCheckFailure.self) {
            try await checkMigrations(
                Club.self, migrations: functions, stores: [harness], records: 30)
        }
        return try #require(error)
    }
}

/// Functions of which the first one is wrong.
private final class WrongFunctions: ClubMigrations {
    typealias Choice =
        @Sendable (_ number: Int, _ client: ClubVersions.V1.Client, _ opened: Int) throws -> Bool

    private let isTwice: Bool
    private let isWritten: Choice
    private let right = ClubFunctions()
    private let opened = Mutex(0)

    init(isTwice: Bool, _ isWritten: @escaping Choice) {
        self.isTwice = isTwice
        self.isWritten = isWritten
    }

    /// Counts how often the store has been opened.
    func count() { opened.withLock { $0 += 1 } }

    func clientAddressTo2(
        _ old: ClubVersions.ClientAddressTo2.Old, into new: ClubVersions.ClientAddressTo2.New
    ) throws {
        let opened = opened.withLock { $0 }
        for (number, client) in old.clients.enumerated()
        where try isWritten(number, client, opened) {
            let id = ClubVersions.AddressID(rawValue: client.id.rawValue.uuidString)
            try new.addresses.insert(.init(id: id, street: client.street, city: client.city))
            for _ in 0..<(isTwice ? 2 : 1) {
                try new.clients.insert(.init(id: client.id, name: client.name, addressID: id))
            }
        }
    }

    func clientMembershipTo3(
        _ old: ClubVersions.ClientMembershipTo3.Old,
        into new: ClubVersions.ClientMembershipTo3.New
    ) throws {
        try right.clientMembershipTo3(old, into: new)
    }

    func addressTo4(
        _ old: ClubVersions.AddressTo4.Old, into new: ClubVersions.AddressTo4.New
    ) throws {
        try right.addressTo4(old, into: new)
    }
}
