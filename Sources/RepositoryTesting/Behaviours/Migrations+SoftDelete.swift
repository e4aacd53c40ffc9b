internal import RepositoryRuntime
internal import StoredSchema

/// The versions of a table whose deleted records stay stored, or not.
private enum ErasableVersions {
    /// No field marks deleted records.
    enum Plain: VersionShape {
        static let table = make("drafts") { table in
            table.field("title", .text)
            table.field("gone", .text, optional: true)
        }
    }

    /// `gone` marks deleted records.
    enum Soft: VersionShape {
        static let table = make("drafts") { table in
            table.field("title", .text)
            table.field("gone", .text, optional: true)
            table.softDelete("gone")
        }
    }

    /// The field has another name.
    enum Renamed: VersionShape {
        static let table = make("drafts") { table in
            table.field("title", .text)
            table.field(
                "erased", .text, optional: true, renamedFrom: ["gone"],
                columnsRenamedFrom: ["gone"])
            table.softDelete("erased")
        }
    }

    /// The field is removed.
    enum Without: VersionShape {
        static let table = make("drafts") { table in table.field("title", .text) }
    }
}

extension StoreBehaviour {
    /// Versions that begin or end to keep deleted records.
    static let softDeleteMigrations: [StoreBehaviour] = [
        migration(
            "migrations.softDeleteAdded",
            "Programs that would show deleted records are refused once a version hides them."
        ) { trial in
            typealias Plain = VersionedRecord<ErasableVersions.Plain>
            typealias Soft = VersionedRecord<ErasableVersions.Soft>
            var chain = VersionChain()
            chain.release([Plain.self])
            let first = try chain.schema([Plain.self])
            chain.release([Soft.self])
            let second = try chain.schema([Soft.self])
            let old = trial.versioned(ErasableVersions.Plain.self, first)
            try await old.createAll([
                Plain("a", .text("A"), .null), Plain("b", .text("B"), .text("then")),
            ])
            let new = try await trial.reopened(ErasableVersions.Soft.self, second)
            try await expect(new.ids().map(\.rawValue), is: ["a"])
            try await expect(new.includingDeleted.count(), is: 2)
            try await expectError(.schemaMismatch) {
                try await old.create(Plain("c", .text("C"), .null))
            }
            try await expectError(.schemaMismatch) {
                try await trial.reopened(ErasableVersions.Plain.self, first).count()
            }
            try await expect(new.includingDeleted.count(), is: 2)
        },
        migration(
            "migrations.softDeleteRemoved",
            "Deleted records do not come back: a version without `softDelete` fails while any are."
        ) { trial in
            try await trial.expectNoneComesBack(ErasableVersions.Plain.self, [])
        },
        migration(
            "migrations.softDeleteDropped",
            "A version that removes the date of the deletion fails while records are deleted."
        ) { trial in
            try await trial.expectNoneComesBack(
                ErasableVersions.Without.self, [.remove(DataPath("drafts", ["gone"]))])
        },
        migration(
            "migrations.softDeleteRenamed", "The date of the deletion can get another name."
        ) { trial in
            typealias Soft = VersionedRecord<ErasableVersions.Soft>
            typealias Renamed = VersionedRecord<ErasableVersions.Renamed>
            var chain = VersionChain()
            chain.release([Soft.self])
            try await trial.versioned(
                ErasableVersions.Soft.self, try chain.schema([Soft.self])
            ).createAll([
                Soft("a", .text("A"), .null), Soft("b", .text("B"), .text("then")),
            ])
            chain.release(
                [Renamed.self], [.rename(DataPath("drafts", ["gone"]), to: "erased")])
            let new = try await trial.reopened(
                ErasableVersions.Renamed.self, try chain.schema([Renamed.self]))
            try await expect(new.ids().map(\.rawValue), is: ["a"])
            try await expect(new.includingDeleted.count(), is: 2)
        },
    ]
}

extension StoreTrial {
    /// Expects that a version without `softDelete` opens the data only when no record is deleted.
    fileprivate func expectNoneComesBack<S: VersionShape>(
        _ shape: S.Type, _ changes: [DataChange]
    ) async throws {
        typealias Soft = VersionedRecord<ErasableVersions.Soft>
        var chain = VersionChain()
        chain.release([Soft.self])
        let first = try chain.schema([Soft.self])
        chain.release([VersionedRecord<S>.self], changes)
        let second = try chain.schema([VersionedRecord<S>.self])
        let kept = Soft("a", .text("A"), .null)
        try await versioned(ErasableVersions.Soft.self, first).createAll([
            kept, Soft("b", .text("B"), .text("then")),
        ])
        let error = try await expectError(.schemaMismatch) {
            try await reopened(shape, second).count()
        }
        try expect(error.message.contains("one record is deleted"), "It says so: \(error)")
        // The data is as it was.
        let old = try await reopened(ErasableVersions.Soft.self, first)
        try await expect(old.fetch(), is: [kept])
        try await expect(old.includingDeleted.count(), is: 2)
        try await old.context.store.delete(Soft.self, id: "b")
        try await expect(reopened(shape, second).ids().map(\.rawValue), is: ["a"])
        try await expectError(.schemaMismatch) {
            try await reopened(ErasableVersions.Soft.self, first).count()
        }
    }
}
