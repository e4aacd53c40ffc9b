import RepositorySchema
import RepositorySchemaParser
import StoredSchema
import Testing

@testable import RepositoryGeneratorCore

@Suite("Entities that a function migrates together")
struct TablesStepTests {
    private static let one = """
        entity: Client
        fields: { name: String, city: String }
        ---
        entity: Membership
        fields: { client: Client, level: Int }
        ---
        entity: Visit
        fields: { client: Client, note: String }
        """
    private static let two = """
        entity: Client
        fields: { name: String, address: Address?, level: Int }
        ---
        entity: Address
        fields: { city: String }
        ---
        entity: Visit
        fields: { client: Client, text: { type: String, renamedFrom: note } }
        """
    private static let together = """
        removed: [Membership]
        migrate: { code: [Client, Membership, Address] }
        """

    /// The history of schemas with their settings, of which the last is not released.
    private static func history(_ schemas: (String, String?)...) -> VersionHistory {
        let sets = schemas.map { VersionComparisonTests.set($0.0, settings: $0.1) }
        let versions = VersionComparisonTests.versions(sets.dropLast())
        return VersionHistory(
            versions: versions.enumerated().map {
                .init(number: $0 + 1, hash: "\($0)", set: $1)
            }, present: sets[sets.count - 1], isReleased: false)
    }

    private static func functions(_ step: VersionStep) -> [String] {
        step.changes.compactMap { change in
            guard case .tables(let old, let new, let function) = change else { return nil }
            return "\(function): \(old) to \(new.map(\.name))"
        }
    }

    @Test("are refused where they meet new ids in the data of an earlier version")
    func newIDs() {
        func shop(_ id: String) -> String {
            "entity: Client\nid: { name: id, \(id) }\nfields: { name: String }\n---\n"
                + "entity: Visit\nfields: { client: Client }\n"
        }
        let first = (shop("type: Int"), String?.none)
        let second = (shop("type: UUID, convert: code"), String?.none)
        let history = Self.history(
            first, second, (shop("type: UUID"), "migrate: { code: [Visit] }"))
        #expect(
            history.problems.map(\.message) == [
                "stores cannot carry out the function 'visitTo3' and the new ids of 'clients' in one migration yet"
            ])
        let later = Self.history(
            (shop("type: UUID"), nil), (shop("type: UUID"), "migrate: { code: [Visit] }"))
        #expect(later.problems.map(\.message) == [])
    }

    @Test("have their tables in one change; others keep their own changes")
    func change() throws {
        let history = Self.history((Self.one, nil), (Self.two, Self.together))
        #expect(history.problems.map(\.message) == [])
        let step = try #require(history.steps.last)
        #expect(
            Self.functions(step) == [
                #"clientMembershipAddressTo2: ["clients", "memberships"] to ["clients", "addresses"]"#
            ])
        #expect(
            step.changes.filter { $0.function == nil } == [
                .rename(DataPath("visits", ["note"]), to: "text")
            ])
    }

    @Test("have typed readers and writers")
    func text() throws {
        let history = Self.history((Self.one, nil), (Self.two, Self.together))
        let scope = SchemaScope(history.present)
        let layer = try #require(VersionsTranslator(history, scope: scope, access: "")?.file)
        guard case .versions(let versions)? = layer.declarations.first else {
            Issue.record("There is no layer.")
            return
        }
        let lines = versions.functions + versions.tableCalls + versions.types
        let text = lines.joined(separator: "\n")
        for part in [
            "    _ old: RepositoriesVersions.ClientMembershipAddressTo2.Old,",
            "    into new: RepositoriesVersions.ClientMembershipAddressTo2.New) throws",
            "let clients: RepositoryRuntime.MigrationReader<RepositoriesVersions.V1.Client, RepositoriesVersions.ClientID<Foundation.UUID>>",
            "let memberships: RepositoryRuntime.MigrationReader<RepositoriesVersions.V1.Membership,",
            "func memberships(clientID: RepositoriesVersions.ClientID<Foundation.UUID>) -> RepositoryRuntime.MigrationRecords<RepositoriesVersions.V1.Membership> {",
            "self.memberships.records(where: [\"clientID\": clientID])",
            "let addresses: RepositoryRuntime.MigrationWriter<RepositoriesVersions.V2.Address>",
            "self.addresses = tables.writer(\"addresses\")",
            "\"clientMembershipAddressTo2\": { tables in",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(!text.contains("Visit"))
        #expect(versions.calls.isEmpty)
    }

    @Test("are migrated once; 'for' repeats it")
    func spent() throws {
        let note = Self.two + "\n---\nentity: Note\nfields: { text: String }"
        let left = Self.history((Self.one, nil), (Self.two, Self.together), (note, Self.together))
        #expect(left.steps.map { Self.functions($0).count } == [1, 0])
        let again =
            "migrate: { code: [Client, Membership, Address], for: 3 }\nremoved: [Membership]"
        let repeated = Self.history(
            (Self.one, nil), (Self.two, Self.together), (note, again), (Self.two, "removed: [Note]")
        )
        #expect(repeated.steps.map { Self.functions($0).count } == [1, 1, 0])
        #expect(
            Self.functions(repeated.steps[1]) == [
                #"clientMembershipAddressTo3: ["clients", "addresses"] to ["clients", "addresses"]"#
            ])
    }

    @Test("are not migrated if another program owns a table")
    func unmanaged() {
        let old = "entity: A\nmanage: false\nfields: { x: Int }\n---\nentity: B\nfields: { y: Int }"
        let history = Self.history((old, nil), (old, "migrate: { code: [A, B] }"))
        #expect(
            history.problems.map(\.message) == [
                "the table of 'A' belongs to another program, so it is never migrated"
            ])
    }

    @Test("need functions with different names")
    func sameNames() {
        let text = ["A", "BC", "AB", "C"].map { "entity: \($0)\nfields: { x: Int }" }
            .joined(separator: "\n---\n")
        let history = Self.history(
            (text, nil), (text, "migrate: [{ code: [A, BC] }, { code: [AB, C] }]"))
        #expect(
            history.problems.map(\.message) == [
                "two functions of this version have the name 'abcTo2'"
            ])
    }

    @Test("'migrate: code' of an entity is not repeated either")
    func records() {
        let old = "entity: A\nfields: { x: Int }"
        let code = "entity: A\nmigrate: code\nfields: { y: Int }"
        let other = code + "\n---\nentity: B\nfields: { x: Int }"
        let history = Self.history((old, nil), (code, nil), (other, nil))
        #expect(history.steps.map(\.calls.count) == [1, 0])
        let again = other.replacing("migrate: code", with: "migrate: { code, for: 3 }")
        let repeated = Self.history(
            (old, nil), (code, nil), (again, nil), (again + "\n---\nentity: C", nil))
        #expect(repeated.steps.map(\.calls.count) == [1, 1, 0])
    }
}
