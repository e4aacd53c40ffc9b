public protocol Priced {
    nonisolated var price: Int { get }
}
