// swift-tools-version: 6.2
import PackageDescription

// The folder with a copy of PostgresNIO, which is measured too if there is one.
let postgresNIO = Context.environment["POSTGRES_NIO"] ?? ""

// A package of its own, so that who uses the main one never resolves what its speed is measured against.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-repository-generator", path: "../..", traits: ["PostgreSQL"]),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
    ] + (postgresNIO.isEmpty ? [] : [.package(name: "postgres-nio", path: postgresNIO)]),
    targets: [
        // The C functions themselves: what nothing above them can be faster than.
        .systemLibrary(
            name: "SQLiteAPI", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(
            name: "YAMLAPI", pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .systemLibrary(
            name: "PostgreSQLAPI", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        // Counts allocations, and marks for other programs what a line measures.
        .target(name: "Counting"),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "Counting", "PostgreSQLAPI", "SQLiteAPI", "YAMLAPI",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "RepositoryPostgreSQL", package: "swift-repository-generator"),
                .product(name: "RepositoryRuntime", package: "swift-repository-generator"),
                .product(name: "RepositorySQLite", package: "swift-repository-generator"),
            ]
                + (postgresNIO.isEmpty
                    ? [] : [.product(name: "PostgresNIO", package: "postgres-nio")]),
            path: "Sources/Benchmarks", exclude: ["Schemas"],
            swiftSettings: (postgresNIO.isEmpty ? [] : [.define("POSTGRES_NIO")]) + [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]),
        // Writes a database as any program with GRDB does, for the tests of tables that are somebody else's.
        .executableTarget(
            name: "grdb-file",
            dependencies: [.product(name: "GRDB", package: "GRDB.swift")],
            path: "Sources/GRDBFile"),
    ],
    swiftLanguageModes: [.v6]
)
