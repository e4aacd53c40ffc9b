// swift-tools-version: 6.2
import PackageDescription

// A recipe app without its screens: what an app with references, ordered lists, tags, search and photos
// needs of a database, on any store.
let package = Package(
    name: "Recipes",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [.library(name: "Recipes", targets: ["Recipes"])],
    dependencies: [
        .package(name: "swift-repository-generator", path: "../../..")
    ],
    targets: [
        .target(
            name: "Recipes",
            dependencies: [
                .product(name: "RepositoryRuntime", package: "swift-repository-generator")
            ],
            exclude: ["Schemas"],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .testTarget(
            name: "RecipesTests",
            dependencies: [
                "Recipes",
                .product(name: "RepositoryRuntime", package: "swift-repository-generator"),
                .product(name: "RepositorySQLite", package: "swift-repository-generator"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ],
    swiftLanguageModes: [.v6]
)
