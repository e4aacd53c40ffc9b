// swift-tools-version: 6.2
import PackageDescription

// A library over HTTP: what a server with pages, conditional requests, error responses, metrics and a
// graceful shutdown needs of a database.
let package = Package(
    name: "LibraryService",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-repository-generator", path: "../../.."),
        // Its default traits are about configuration files, which this service does not read.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1",
            traits: []),
        .package(
            url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
    ],
    targets: [
        .target(
            name: "LibraryService",
            dependencies: [
                .product(name: "RepositoryRuntime", package: "swift-repository-generator"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            exclude: ["Schemas"],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "library-service",
            dependencies: [
                "LibraryService",
                .product(name: "RepositorySQLite", package: "swift-repository-generator"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .testTarget(
            name: "LibraryServiceTests",
            dependencies: [
                "LibraryService", "library-service",
                .product(name: "RepositoryRuntime", package: "swift-repository-generator"),
                .product(name: "RepositorySQLite", package: "swift-repository-generator"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ],
    swiftLanguageModes: [.v6]
)
