/// A protocol of the user.
public protocol Priced {
    nonisolated var price: Int { get }
}

nonisolated extension Product {
    /// Whether `left` stands before `right`.
    public static func < (left: Product, right: Product) -> Bool { left.price < right.price }
}
