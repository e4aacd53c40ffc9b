/// The version of a collection. If two stamps are equal, nothing was written between them.
public struct DocumentStamp: Sendable, Hashable {
    /// A number that every write through a driver increases.
    public var generation: UInt64
    /// A value that changes when other programs write, such as the modification time of a folder; 0
    /// if the driver has none.
    public var external: Int64

    /// Creates a stamp.
    public init(generation: UInt64, external: Int64 = 0) {
        self.generation = generation
        self.external = external
    }
}
