public protocol Priced {
    nonisolated var price: Int { get }
}

nonisolated extension Product {
    public static func < (left: Product, right: Product) -> Bool { left.price < right.price }
}
