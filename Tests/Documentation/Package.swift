// swift-tools-version: 6.2
import PackageDescription

/// The package whose documentation `make docs` builds. It stands apart, so that no user resolves the documentation plugin.
let package = Package(
    name: "Documentation",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(
            name: "swift-repository-generator", path: "../..",
            traits: ["PostgreSQL", "Observability", "Compression", "Encryption"]),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin.git", from: "1.5.0"),
    ],
    targets: [
        .target(
            name: "Documentation",
            dependencies: [
                .product(name: "RepositoryRuntime", package: "swift-repository-generator")
            ])
    ]
)
