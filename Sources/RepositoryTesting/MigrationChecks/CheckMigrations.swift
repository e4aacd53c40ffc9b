internal import Foundation
public import RepositoryRuntime
internal import StoredSchema

/// Proves that data of every released version of a set migrates correctly.
///
/// ```swift
/// @Test func migrations() async throws {
///     try await checkMigrations(Library.self)
/// }
/// ```
///
/// For each released version and store, random valid records are written as a program of that version
/// wrote them. The present set then opens the store. Every record must equal what a plain model of the
/// declared changes gives, be found by every index, and satisfy the rules of the present version.
/// Every function must be pure and called exactly once for each record.
///
/// - Parameters:
///   - set: the generated set.
///   - stores: how to create the stores. The default is files in every format and user defaults. A
///     SQLite store is added with `StoreHarness.persistentStores + [StoreHarness { place in SQLiteStore(path: …) }]`.
///     Stores that do not keep data are skipped.
///   - records: the number of records in each table.
///   - seed: repeats the random values. The default is `REPOSITORY_SEED`, or the same value in
///     every run.
///   - untested: the tables of versions, and the functions, that no random record may reach. All
///     others must be tested.
/// - Returns: The number of records, and of those that were left out.
/// - Throws: ``MigrationCheckFailure`` for the first difference, and for what was not tested.
@discardableResult
public func checkMigrations<S: RepositorySet>(
    _ set: S.Type, stores: [StoreHarness] = StoreHarness.persistentStores, records: Int = 100,
    seed: UInt64? = nil, untested: Set<String> = []
) async throws -> MigrationCheckReport where S.Migrations == NoMigrations {
    try await MigrationCheck(
        S.schema, stores: stores, records: records, seed: seed, untested: untested
    ).run()
}

/// Proves that data of every released version of a set migrates correctly, with the functions that
/// the program passes to the initializer of the set. See
/// ``checkMigrations(_:stores:records:seed:untested:)``.
///
/// - Parameters:
///   - set: the generated set.
///   - migrations: the functions.
///   - stores: how to create the stores.
///   - records: the number of records in each table.
///   - seed: repeats the random values.
///   - untested: the tables of versions, and the functions, that no random record may reach.
/// - Returns: The number of records, and of those that were left out.
/// - Throws: ``MigrationCheckFailure`` for the first difference, and for what was not tested.
@discardableResult
public func checkMigrations<S: RepositorySet>(
    _ set: S.Type, migrations: S.Migrations,
    stores: [StoreHarness] = StoreHarness.persistentStores, records: Int = 100, seed: UInt64? = nil,
    untested: Set<String> = []
) async throws -> MigrationCheckReport {
    let schema = S.schema.migrating(with: S.functions(of: migrations))
    return try await MigrationCheck(
        schema, stores: stores, records: records, seed: seed, untested: untested
    ).run()
}

extension StoreHarness {
    /// The stores of `RepositoryRuntime` that keep data: files in every format, and user defaults.
    public static var persistentStores: [StoreHarness] {
        let formats: [any DataTransformer] = [
            JSONDataTransformer(), XMLDataTransformer(), BinaryPropertyListDataTransformer(),
            CBORDataTransformer(),
        ]
        let files = formats.map { format in
            StoreHarness { place in
                FileSystemStore(directory: place.directory, transformer: format)
            }
        }
        let defaults = StoreHarness(
            cleanUp: { place in try UserDefaultsStore.remove(suiteName: place.name) }
        ) { place in
            UserDefaultsStore(suiteName: place.name)
        }
        return files + [defaults]
    }
}
