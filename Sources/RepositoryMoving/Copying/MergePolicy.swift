/// Who wins where source and target have different records under one id, and the target's was not
/// written by an earlier copy, or has been changed since.
public struct MergePolicy: Sendable {
    /// A conflict about one record.
    public struct Conflict: Sendable, Hashable {
        /// The table.
        public var table: String
        /// The text of the id.
        public var id: String
        /// Whether the target has no record because a program has deleted it since an earlier copy.
        public var isDeletedInTarget: Bool
    }

    /// A side.
    public enum Winner: Sendable, Hashable {
        /// The record of the source is written.
        case source
        /// The target stays as it is.
        case target
    }

    private let decide: (@Sendable (Conflict) -> Winner)?

    /// A target that is not empty is refused, and so is a conflict with one that was copied before.
    /// The default.
    public static let refuse = Self(nil)
    /// The target's records stay. Only records that it does not have are added.
    public static let keepTarget = Self { _ in .target }
    /// The source's records replace those of the target. Records that only the target has stay, and
    /// records that its programs have deleted come back if the source has changed them since.
    public static let keepSource = Self { _ in .source }

    /// A closure decides for each conflict.
    public static func resolve(
        _ decide: @escaping @Sendable (Conflict) -> Winner
    ) -> Self { Self(decide) }

    private init(_ decide: (@Sendable (Conflict) -> Winner)?) { self.decide = decide }

    /// Whether conflicts are refused.
    var refuses: Bool { decide == nil }

    /// Returns the winner of a conflict; nil if it is refused.
    func winner(_ conflict: Conflict) -> Winner? { decide?(conflict) }
}
