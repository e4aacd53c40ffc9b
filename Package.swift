// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Settings of every target: the upcoming language modes that the generated code must also survive.
var swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
if Context.environment["REPOSITORY_SANITIZER"] == "thread" {
    // The sanitizer does not understand the standard `Mutex`: see `SanitizedMutex`, whose members come from another module
    // than the one that is imported for it.
    swiftSettings.append(.define("THREAD_SANITIZER"))
    // Under the sanitizer every look at the metadata of a generic type takes one lock of the Swift runtime, which threads
    // then queue for: what is not specialised runs a hundred times slower.
    swiftSettings.append(.unsafeFlags(["-O"]))
} else {
    swiftSettings.append(.enableUpcomingFeature("MemberImportVisibility"))
}
// Only this package's own builds are strict: a warning that a future compiler adds must not break a user's build.
if Context.environment["REPOSITORY_STRICT"] != nil {
    swiftSettings.append(.treatAllWarnings(as: .error))
}

/// The templates that are compiled in, by file name.
let templates = [
    "composite-id", "deprecated-enumeration", "description", "entity", "enumeration", "equality",
    "fields",
    "file", "initializer", "mapper", "mixin", "open-enumeration", "other-name", "repository",
    "scalar", "set", "union", "union-case", "value", "versions",
]

let package = Package(
    name: "swift-repository-generator",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "RepositoryRuntime", targets: ["RepositoryRuntime"]),
        .library(name: "RepositorySQLite", targets: ["RepositorySQLite"]),
        .library(name: "RepositorySQL", targets: ["RepositorySQL"]),
        .library(name: "RepositoryPostgreSQL", targets: ["RepositoryPostgreSQL"]),
        .library(name: "RepositoryMoving", targets: ["RepositoryMoving"]),
        .library(name: "RepositoryRealm", targets: ["RepositoryRealm"]),
        .library(name: "RepositoryCoreData", targets: ["RepositoryCoreData"]),
        .library(name: "RepositoryTesting", targets: ["RepositoryTesting"]),
        .library(name: "RepositoryObservability", targets: ["RepositoryObservability"]),
        .library(name: "RepositoryObservation", targets: ["RepositoryObservation"]),
        .library(name: "RepositoryCompression", targets: ["RepositoryCompression"]),
        .library(name: "RepositoryEncryption", targets: ["RepositoryEncryption"]),
        .executable(name: "repository-generator", targets: ["repository-generator"]),
        .plugin(name: "GenerateRepositories", targets: ["GenerateRepositories"]),
        .plugin(name: "CheckRepositories", targets: ["CheckRepositories"]),
        .plugin(name: "ChangesRepositories", targets: ["ChangesRepositories"]),
        .plugin(name: "ReleaseRepositories", targets: ["ReleaseRepositories"]),
        .plugin(name: "InitRepositories", targets: ["InitRepositories"]),
        .plugin(name: "ImportRepositories", targets: ["ImportRepositories"]),
        .plugin(name: "DiagramRepositories", targets: ["DiagramRepositories"]),
        .plugin(name: "SchemaRepositories", targets: ["SchemaRepositories"]),
    ],
    traits: [
        .trait(
            name: "Observability",
            description: "Logs, metrics and traces of stores: the module RepositoryObservability."),
        .trait(name: "PostgreSQL", description: "The PostgreSQL store; needs libpq."),
        .trait(
            name: "Compression",
            description: "Compressed records: the module RepositoryCompression; needs zlib."),
        .trait(
            name: "Encryption",
            description: "Encrypted records: the module RepositoryEncryption; needs swift-crypto."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache.git", from: "2.1.1"),
        // Only with the trait.
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
    ],
    targets: [
        // System libraries.
        .systemLibrary(
            name: "CLibYAML", pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(
            name: "CPostgreSQL", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),

        // What stored data looks like: generator and runtime compare the same descriptions.
        .target(name: "StoredSchema"),
        // The conditions of schemas and of programs that run: their grammar, names and types.
        .target(name: "ConditionLanguage", dependencies: ["StoredSchema"]),

        // The generator: schema ← parser, core; templates; the executable joins them.
        .target(name: "RepositorySchema", dependencies: ["StoredSchema"]),
        .target(
            name: "RepositorySchemaParser",
            dependencies: ["CLibYAML", "ConditionLanguage", "RepositorySchema", "StoredSchema"]),
        .target(
            name: "Templates", path: "Templates",
            resources: templates.map { .embedInCode("\($0).mustache") }),
        .target(
            name: "RepositoryGeneratorCore",
            dependencies: [
                "ConditionLanguage", "RepositorySchema", "StoredSchema", "Templates",
                .product(name: "Mustache", package: "swift-mustache"),
            ]),
        // The files of Core Data and SwiftData, read without their frameworks.
        .target(name: "CoreDataFormat", dependencies: ["CSQLite"]),
        // Schemas of databases that exist already. Only the executable links SQLite for it.
        .target(
            name: "RepositoryImport",
            dependencies: [
                "CSQLite", "CoreDataFormat", "RealmFormat", "RepositoryGeneratorCore",
                "RepositorySchema", "RepositorySchemaParser", "StoredSchema",
            ]),
        .executableTarget(
            name: "repository-generator",
            dependencies: [
                "RepositoryImport", "RepositorySchema", "RepositorySchemaParser",
                "RepositoryGeneratorCore",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .plugin(
            name: "GenerateRepositories",
            capability: .command(
                intent: .custom(
                    verb: "generate-repositories",
                    description: "Writes Swift types, mappers and repositories from YAML schemas."),
                permissions: [
                    .writeToPackageDirectory(reason: "It writes the generated Swift sources.")
                ]),
            dependencies: ["repository-generator"],
            path: "Sources/Plugins/GenerateRepositories"),
        .plugin(
            name: "CheckRepositories",
            capability: .command(
                intent: .custom(
                    verb: "check-repositories",
                    description:
                        "Says whether the generated sources are up to date; writes nothing.")),
            dependencies: ["repository-generator"],
            path: "Sources/Plugins/CheckRepositories"),
        .plugin(
            name: "ChangesRepositories",
            capability: .command(
                intent: .custom(
                    verb: "changes-repositories",
                    description:
                        "Prints what has changed since a released version; writes nothing.")),
            dependencies: ["repository-generator"],
            path: "Sources/Plugins/ChangesRepositories"),
        .plugin(
            name: "ReleaseRepositories",
            capability: .command(
                intent: .custom(
                    verb: "release-repositories",
                    description: "Records the schemas as the next released version."),
                permissions: [
                    .writeToPackageDirectory(
                        reason: "It writes the version file into the folder of the schemas.")
                ]),
            dependencies: ["repository-generator"],
            path: "Sources/Plugins/ReleaseRepositories"),
        .plugin(
            name: "InitRepositories",
            capability: .command(
                intent: .custom(
                    verb: "init-repositories",
                    description: "Writes a first schema, settings and the generated files."),
                permissions: [
                    .writeToPackageDirectory(
                        reason: "It writes schemas and the generated Swift sources.")
                ]),
            dependencies: ["repository-generator"],
            path: "Sources/Plugins/InitRepositories"),
        .plugin(
            name: "ImportRepositories",
            capability: .command(
                intent: .custom(
                    verb: "import-repositories",
                    description: "Writes schemas that describe a database that exists already."),
                permissions: [
                    .writeToPackageDirectory(reason: "It writes the schemas.")
                ]),
            dependencies: ["repository-generator"],
            path: "Sources/Plugins/ImportRepositories"),
        .plugin(
            name: "DiagramRepositories",
            capability: .command(
                intent: .custom(
                    verb: "diagram-repositories",
                    description: "Prints the entities and how they refer to each other.")),
            dependencies: ["repository-generator"],
            path: "Sources/Plugins/DiagramRepositories"),
        .plugin(
            name: "SchemaRepositories",
            capability: .command(
                intent: .custom(
                    verb: "schema-repositories",
                    description: "Prints the JSON Schema of the schema files, for editors.")),
            dependencies: ["repository-generator"],
            path: "Sources/Plugins/SchemaRepositories"),

        // The files of Realm. Standard library and Foundation only: generator and runtime use it.
        .target(name: "RealmFormat", dependencies: ["StoredSchema"]),

        // The runtime, its stores and the conformance suite.
        .target(name: "CFileAccess"),
        .target(name: "RepositoryRuntime", dependencies: ["CFileAccess", "StoredSchema"]),
        // What all SQL stores have in common. Only they import it.
        .target(name: "RepositorySQLCore", dependencies: ["RepositoryRuntime", "StoredSchema"]),
        .target(
            name: "RepositorySQLite",
            dependencies: ["CSQLite", "RepositoryRuntime", "RepositorySQLCore", "StoredSchema"]),
        // A store over any SQL database, for which somebody writes a driver.
        .target(
            name: "RepositorySQL",
            dependencies: ["RepositoryRuntime", "RepositorySQLCore", "StoredSchema"]),
        .target(
            name: "RepositoryPostgreSQL",
            dependencies: [
                "RepositoryRuntime", "RepositorySQLCore", "StoredSchema",
                .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ]),
        .target(
            name: "RepositoryTesting",
            dependencies: ["RepositoryMoving", "RepositoryRuntime", "StoredSchema"],
            exclude: ["Schemas"]),

        // Comparing and copying the data of stores.
        .target(name: "RepositoryMoving", dependencies: ["RepositoryRuntime", "StoredSchema"]),
        // Files of Realm as sources, without Realm.
        .target(
            name: "RepositoryRealm",
            dependencies: [
                "RealmFormat", "RepositoryMoving", "RepositoryRuntime", "StoredSchema",
            ]),
        // Stores of Core Data and SwiftData as sources, without their frameworks.
        .target(
            name: "RepositoryCoreData",
            dependencies: [
                "CoreDataFormat", "RepositoryMoving", "RepositoryRuntime", "StoredSchema",
            ]),

        // Observed queries as observable objects, for user interfaces.
        .target(name: "RepositoryObservation", dependencies: ["RepositoryRuntime"]),

        // Adapters of instruments, empty without the trait.
        .target(
            name: "RepositoryObservability",
            dependencies: [
                "RepositoryRuntime",
                .product(
                    name: "Logging", package: "swift-log",
                    condition: .when(traits: ["Observability"])),
                .product(
                    name: "CoreMetrics", package: "swift-metrics",
                    condition: .when(traits: ["Observability"])),
                .product(
                    name: "Tracing", package: "swift-distributed-tracing",
                    condition: .when(traits: ["Observability"])),
            ]),

        // Transformers around the bytes of records, empty without their traits.
        .target(
            name: "RepositoryCompression",
            dependencies: [
                "RepositoryRuntime",
                .target(name: "CZlib", condition: .when(traits: ["Compression"])),
            ]),
        .target(
            name: "RepositoryEncryption",
            dependencies: [
                "RepositoryRuntime",
                .product(
                    name: "Crypto", package: "swift-crypto",
                    condition: .when(traits: ["Encryption"])),
            ]),

        // What the house schemas generate, and the program of `make demo` over it.
        .target(name: "Generated", dependencies: ["RepositoryRuntime"], path: "Generated"),
        .executableTarget(
            name: "library-demo",
            dependencies: [
                "Generated", "RepositoryMoving", "RepositoryPostgreSQL", "RepositoryRuntime",
                "RepositorySQLite",
            ],
            path: "Sources/LibraryDemo"),

        // Tests.
        // The parts of the documentation that tests write.
        .target(name: "RecordedSections", path: "Tests/RecordedSections"),
        .testTarget(
            name: "ConditionLanguageTests", dependencies: ["ConditionLanguage", "StoredSchema"]),
        .testTarget(name: "RepositorySchemaTests", dependencies: ["RepositorySchema"]),
        .testTarget(
            name: "RepositorySchemaParserTests",
            dependencies: ["RepositorySchema", "RepositorySchemaParser"]),
        .testTarget(
            name: "RepositoryRuntimeTests",
            dependencies: [
                "Generated", "RepositoryRuntime", "RepositoryTesting", "StoredSchema",
                "store-worker",
            ],
            exclude: ["Extended/search-tables.py"]),
        // Started by the tests, several at once.
        .executableTarget(
            name: "store-worker",
            dependencies: ["CrashLedger", "RepositoryRuntime", "RepositoryTesting"],
            path: "Tests/StoreWorker"),
        // What the Thread Sanitizer must find.
        .executableTarget(
            name: "racy-program", path: "Tests/RacyProgram",
            exclude: ["run.sh", "suppressions.txt"]),
        // What a program that is killed writes, and what must be left of it.
        .target(
            name: "CrashLedger",
            dependencies: [
                "RepositoryPostgreSQL", "RepositoryRuntime", "RepositorySQLite",
                "RepositoryTesting", "StoredSchema",
            ],
            path: "Tests/CrashLedger"),
        .testTarget(
            name: "CrashTests",
            dependencies: [
                "CrashLedger", "RepositoryRuntime", "RepositoryTesting", "store-worker",
            ],
            path: "Tests/Crash"),
        .executableTarget(
            name: "sqlite-process",
            dependencies: ["Generated", "RepositoryRuntime", "RepositorySQLite"],
            path: "Tests/SQLiteProcess"),
        .testTarget(
            name: "RepositorySQLiteTests",
            dependencies: [
                "CSQLite", "Generated", "RepositoryRuntime", "RepositorySQLCore",
                "RepositorySQLite", "RepositoryTesting", "StoredSchema",
                "sqlite-process",
            ]),
        .testTarget(
            name: "RepositorySQLTests",
            dependencies: [
                "CSQLite", "RecordedSections", "RepositoryRuntime", "RepositorySQL",
                "RepositoryTesting",
            ]),
        .testTarget(
            name: "RepositoryPostgreSQLTests",
            dependencies: [
                "CrashLedger", "Generated", "RepositoryPostgreSQL", "RepositoryRuntime",
                "RepositorySQL", "RepositorySQLCore", "RepositoryTesting", "store-worker",
                .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ]),
        .testTarget(
            name: "RepositoryObservabilityTests",
            dependencies: [
                "RepositoryObservability", "RepositoryRuntime",
                .product(
                    name: "InMemoryLogging", package: "swift-log",
                    condition: .when(traits: ["Observability"])),
                .product(
                    name: "InMemoryTracing", package: "swift-distributed-tracing",
                    condition: .when(traits: ["Observability"])),
                .product(
                    name: "MetricsTestKit", package: "swift-metrics",
                    condition: .when(traits: ["Observability"])),
            ],
            path: "Tests/Observability"),
        .testTarget(
            name: "RepositoryObservationTests",
            dependencies: [
                "Generated", "RepositoryObservation", "RepositoryRuntime", "RepositorySQLite",
            ],
            path: "Tests/LiveQuery"),
        // Comparing and copying the data of stores.
        .testTarget(
            name: "RepositoryMovingTests",
            dependencies: [
                "Generated", "RepositoryMoving", "RepositoryPostgreSQL", "RepositoryRuntime",
                "RepositorySQLite", "RepositoryTesting", "StoredSchema",
            ],
            path: "Tests/RepositoryMoving", exclude: ["Schemas"]),
        .testTarget(
            name: "RepositoryWrappingTests",
            dependencies: [
                "Generated", "RepositoryCompression", "RepositoryEncryption", "RepositoryRuntime",
                "RepositorySQLite", "RepositoryTesting",
            ],
            path: "Tests/Wrapping"),
        .testTarget(
            name: "RepositoryTestingTests",
            dependencies: [
                "CSQLite", "ConditionLanguage", "RecordedSections", "RepositoryCompression",
                "RepositoryEncryption", "RepositoryGeneratorCore", "RepositoryPostgreSQL",
                "RepositoryRuntime", "RepositorySQLCore", "RepositorySQLite", "RepositorySchema",
                "RepositorySchemaParser", "RepositoryTesting", "StoredSchema",
            ]),
        .testTarget(
            name: "ReferenceTests",
            dependencies: [
                "RepositorySchema", "RepositorySchemaParser", "RepositoryGeneratorCore",
                "StoredSchema",
            ],
            path: "Tests/Reference",
            exclude: [
                "bad", "changes", "good", "warned", "check-json-schema.py", "fingerprints.txt",
            ]),
        // Databases, and the schemas that an import makes of them.
        .testTarget(
            name: "RepositoryImportTests",
            dependencies: [
                "CSQLite", "RepositoryGeneratorCore", "RepositoryImport", "RepositorySchema",
                "RepositorySchemaParser",
            ],
            path: "Tests/Import", exclude: ["CoreData", "Corpus", "Merges", "Realm"]),
        .testTarget(
            name: "RepositoryGeneratorTests",
            dependencies: [
                "CSQLite", "RepositoryGeneratorCore", "RepositorySchema", "repository-generator",
            ],
            exclude: ["Samples"]),
        .testTarget(
            name: "RepositoryGeneratorCoreTests",
            dependencies: [
                "ConditionLanguage", "Generated", "RecordedSections", "RepositorySchema",
                "RepositorySchemaParser", "RepositoryGeneratorCore", "RepositoryRuntime",
                "RepositoryTesting", "StoredSchema", "Templates",
            ]),
        // The dependencies between the folders of each module, and the pages that show them.
        .testTarget(
            name: "ArchitectureTests",
            dependencies: ["RepositoryGeneratorCore", "RepositorySchema"],
            path: "Tests/Architecture"),
        // The Swift code in README.md and the articles, compiled with the modules of this build.
        .testTarget(
            name: "GuideCodeTests",
            dependencies: [
                "Generated", "RepositoryCompression", "RepositoryEncryption",
                "RepositoryMoving", "RepositoryObservability", "RepositoryObservation",
                "RepositoryPostgreSQL", "RepositoryRuntime", "RepositorySQL", "RepositorySQLite",
                "RepositoryTesting", "repository-generator",
            ],
            path: "Tests/GuideCode", exclude: ["Prelude", "Schemas"]),
        // The public declarations of the libraries, compared with committed lists.
        .testTarget(
            name: "PublicInterfaceTests",
            dependencies: [
                "RepositoryCompression", "RepositoryCoreData", "RepositoryEncryption",
                "RepositoryMoving", "RepositoryObservation", "RepositoryPostgreSQL",
                "RepositoryRealm", "RepositoryRuntime", "RepositorySQL", "RepositorySQLite",
                "RepositoryTesting",
            ],
            path: "Tests/PublicInterface",
            exclude: [
                "RepositoryCompression.txt", "RepositoryCoreData.txt", "RepositoryEncryption.txt",
                "RepositoryRealm.txt", "RepositoryMoving.txt",
                "RepositoryObservation.txt", "RepositoryPostgreSQL.txt", "RepositoryRuntime.txt",
                "RepositorySQL.txt", "RepositorySQLite.txt", "RepositoryTesting.txt",
            ]),
        // Stores that Core Data wrote, with the objects that are in them.
        .testTarget(
            name: "CoreDataFormatTests", dependencies: ["CoreDataFormat", "StoredSchema"],
            path: "Tests/CoreDataFormat", exclude: ["Files", "README.md"]),
        // Files that Realm wrote, with the objects that it reads from them.
        .testTarget(
            name: "RealmFormatTests", dependencies: ["RealmFormat"], path: "Tests/RealmFormat",
            exclude: ["Expected", "Files", "README.md"]),
        // What an import of stores of Core Data gives, generated, and what is read and copied with it.
        .testTarget(
            name: "RepositoryCoreDataTests",
            dependencies: [
                "RepositoryCoreData", "RepositoryMoving", "RepositoryRuntime", "RepositorySQLite",
            ],
            path: "Tests/CoreDataFiles", exclude: ["Gallery/Schemas", "Trips/Schemas"]),
        // What an import of Realm files gives, generated, and what is read and copied with it.
        .testTarget(
            name: "RepositoryRealmTests",
            dependencies: [
                "RepositoryMoving", "RepositoryRealm", "RepositoryRuntime", "RepositorySQLite",
            ],
            path: "Tests/RealmFiles", exclude: ["AllTypes/Schemas", "Pets/Schemas"]),
        // What fuzzers call, and the corpus that they left.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "CoreDataFormat", "RealmFormat", "RepositoryGeneratorCore", "RepositoryRuntime",
                "RepositorySchema", "RepositorySchemaParser", "RepositoryTesting", "StoredSchema",
            ],
            path: "Tests/Fuzzing/Targets"),
        .testTarget(
            name: "FuzzingTests", dependencies: ["FuzzTargets"], path: "Tests/Fuzzing/Tests"),
        .testTarget(
            name: "MusicStoreTests",
            dependencies: ["CSQLite", "RepositoryRuntime", "RepositorySQLite", "StoredSchema"],
            path: "Tests/MusicStore", exclude: ["Schemas"]),
        // Entities that are split, merged and recomputed by functions over several of them.
        .testTarget(
            name: "MigratedTablesTests",
            dependencies: ["RepositoryRuntime", "RepositorySQLite", "RepositoryTesting"],
            path: "Tests/MigratedTables", exclude: ["Schemas"]),
        // Fields that SQL stores encrypt.
        .testTarget(
            name: "EncryptedFieldsTests",
            dependencies: [
                "CSQLite", "RepositoryEncryption", "RepositoryPostgreSQL", "RepositoryRuntime",
                "RepositorySQL", "RepositorySQLite", "RepositoryTesting",
            ],
            path: "Tests/EncryptedFields", exclude: ["Schemas"]),
        .testTarget(
            name: "ForeignDatabaseTests",
            dependencies: ["CSQLite", "RepositoryRuntime", "RepositorySQLite", "StoredSchema"],
            path: "Tests/ForeignDatabases", exclude: ["Files", "Schemas"]),
        // Northwind: a module of its own, because its types have the names of Chinook's.
        .testTarget(
            name: "NorthwindTests",
            dependencies: [
                "CSQLite", "RepositoryGeneratorCore", "RepositoryImport", "RepositoryRuntime",
                "RepositorySQLite", "RepositorySchema", "RepositorySchemaParser",
            ],
            path: "Tests/Northwind", exclude: ["Schemas"]),
        // What an import of real databases gives, generated, compiled and opened.
        .testTarget(
            name: "ImportedDatabaseTests",
            dependencies: [
                "CSQLite", "RepositoryGeneratorCore", "RepositoryImport", "RepositoryRuntime",
                "RepositorySQLite", "RepositorySchema", "RepositorySchemaParser",
            ],
            path: "Tests/ImportedDatabases",
            exclude: [
                "Awkward/Schemas", "Awkward/database.sql", "Chinook/Schemas", "GRDB/Schemas",
                "differences.txt",
            ]),
        // What an import of a PostgreSQL database gives, generated, compiled and opened.
        .testTarget(
            name: "ImportedServerTests",
            dependencies: [
                "RepositoryGeneratorCore", "RepositoryImport", "RepositoryPostgreSQL",
                "RepositoryRuntime", "RepositorySchema", "RepositorySchemaParser",
            ],
            path: "Tests/ImportedServer", exclude: ["Schemas", "database.sql", "report.txt"]),
    ],
    swiftLanguageModes: [.v6]
)

if Context.environment["REPOSITORY_SANITIZER"] == "fuzzer" {
    // Its `main` is that of libFuzzer, so that it links under the sanitizer alone.
    package.targets.append(
        .executableTarget(
            name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzzing/Driver"))
}

// Builds only some test targets, for quick rounds: `REPOSITORY_TESTS="ReferenceTests CrashTests"`. Their folders `Extended` are
// built where that word is among them.
if let chosen = Context.environment["REPOSITORY_TESTS"] {
    let names = chosen.split(separator: " ").map(String.init)
    package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
    for target in package.targets where target.type == .test && !names.contains("Extended") {
        let folder = "\(Context.packageDirectory)/\(target.path ?? "Tests/\(target.name)")/Extended"
        if FileManager.default.fileExists(atPath: folder) { target.exclude.append("Extended") }
    }
}

// A plugin runs a tool that SwiftPM builds once more, with all of its modules. Who runs no plugin need not wait for that.
if Context.environment["REPOSITORY_PLUGINS"] == "0" {
    package.products.removeAll { $0 is Product.Plugin }
    package.targets.removeAll { $0.type == .plugin }
}

for target in package.targets where ![.plugin, .system].contains(target.type) {
    target.swiftSettings = swiftSettings
}
