import StoredSchema
import Testing

@testable import RepositoryRuntime

/// The fingerprints that are stored with existing data; see `PinnedDescriptionTests`.
@Suite("Pinned fingerprints of the databases of other programs")
struct PinnedFingerprintTests {
    @Test("are what they were")
    func fingerprints() {
        #expect(
            SchemaDescription(ForeignDatabases.schema, form: .documents).fingerprint
                == "ea68cb2f8dade8ed3253210a8f1e04ac9b46b8703b4a65039e7a38e7ac43cf74")
        #expect(
            SchemaDescription(ForeignDatabases.schema, form: .columns).fingerprint
                == "a6685f3b62d57bfc4935263140bae87fcd48088975c238c1c8455fa2c716659d")
    }
}
