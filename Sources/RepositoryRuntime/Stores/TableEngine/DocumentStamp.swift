/// A state of a collection; equal stamps mean that nothing was written between them.
public struct DocumentStamp: Sendable, Hashable {
    /// A number that every write through a driver moves on.
    public var generation: UInt64
    /// What shows changes by other programs, such as a folder's time of change; 0 where nothing does.
    public var external: Int64

    /// Makes a stamp.
    public init(generation: UInt64, external: Int64 = 0) {
        self.generation = generation
        self.external = external
    }
}
