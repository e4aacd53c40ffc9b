public import RepositoryRuntime

/// What a write does while the records of a source are being moved.
public struct WaitingWrites: Sendable, Hashable {
    /// How long it waits; nil for what the number of records suggests.
    let limit: Duration?

    /// A write waits for the end of the move, up to a limit, and throws `moving` afterwards.
    public static func wait(_ limit: Duration) -> Self { Self(limit: limit) }
    /// A write waits up to two seconds if the move is expected to take less, and otherwise throws
    /// `moving` at once. The default.
    public static let automatic = Self(limit: nil)
    /// A write throws `moving` at once.
    public static let refuse = Self(limit: .zero)
}

extension CRUDRepositoryError.Code {
    /// The records are being moved to another store, and the write waited as long as it may. Nothing
    /// was written. The call can be repeated when the move has ended.
    public static let moving = Self(rawValue: "moving")
}
