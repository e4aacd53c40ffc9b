// swift-tools-version: 6.2
import PackageDescription

// A package of its own: it is the user of the trait, which is off in the main one.
let package = Package(
    name: "ObservabilityTests",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(
            name: "swift-repository-generator", path: "../..", traits: ["Observability"]),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.3"),
    ],
    targets: [
        .testTarget(
            name: "ObservabilityTests",
            dependencies: [
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "RepositoryObservability", package: "swift-repository-generator"),
                .product(name: "RepositoryRuntime", package: "swift-repository-generator"),
            ],
            path: "Tests",
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
