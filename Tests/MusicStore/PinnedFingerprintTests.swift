import StoredSchema
import Testing

@testable import RepositoryRuntime

/// The fingerprints that are stored with existing data; see `PinnedDescriptionTests`.
@Suite("Pinned fingerprints of the music store")
struct PinnedFingerprintTests {
    @Test("are what they were")
    func fingerprints() {
        let pinned = "36f5095edb274421c859cfa35adba3e21612b43c3260a0821571169a3f1b6f4d"
        #expect(SchemaDescription(MusicStore.schema, form: .documents).fingerprint == pinned)
        #expect(SchemaDescription(MusicStore.schema, form: .columns).fingerprint == pinned)
    }
}
