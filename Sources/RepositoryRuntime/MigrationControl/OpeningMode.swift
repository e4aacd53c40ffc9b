/// How a set treats data of an earlier schema when it opens a store.
///
/// ```swift
/// // In an extension of the app, which must not hold a lock for long:
/// let library = Library(store, opening: .refuse)
/// ```
public struct OpeningMode: Sendable, Hashable {
    /// The modes. A private type, so that later versions can add some.
    private enum Kind: Hashable { case migrate, refuse, resetIfUnreleased }
    private let kind: Kind

    /// The data is migrated at the first use, or by `migrate()`. The default.
    public static let migrate = Self(kind: .migrate)

    /// The data is never migrated: if a change would read or rewrite stored records, or rename or
    /// remove tables or columns, opening throws `schemaMismatch` and changes nothing.
    ///
    /// A store without data of the set is created. New tables, and new columns that are optional or
    /// have a constant default, are added, because this takes constant time and no record is read.
    public static let refuse = Self(kind: .refuse)

    /// For development: if the data cannot be migrated and no released version wrote it, the
    /// records of the set are removed and its tables are created again. Otherwise the same as
    /// ``migrate``.
    ///
    /// In a release build, opening throws `unsupported`.
    public static let resetIfUnreleased = Self(kind: .resetIfUnreleased)
}

extension OpeningMode {
    /// Whether the package is compiled for debugging. Swift Package Manager and Xcode compile a
    /// package with the configuration of the program that uses it.
    package static var isDebugBuild: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }

    /// Checks that the build allows the mode.
    ///
    /// - Throws: `unsupported` for ``resetIfUnreleased`` in a release build.
    package func requireAllowed(isDebugBuild: Bool = Self.isDebugBuild) throws {
        guard self == .resetIfUnreleased, !isDebugBuild else { return }
        throw CRUDRepositoryError(
            .unsupported,
            "'opening: .resetIfUnreleased' removes records and is not allowed in a release build. Nothing was changed."
        )
    }
}

extension OpeningMode: CustomStringConvertible {
    /// The name of the mode.
    public var description: String {
        switch kind {
        case .migrate: "migrate"
        case .refuse: "refuse"
        case .resetIfUnreleased: "resetIfUnreleased"
        }
    }
}
