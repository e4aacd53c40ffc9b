/// A protocol of another module.
public protocol Priced {
    nonisolated var price: Int { get }
}
