public import RepositoryRuntime

nonisolated public struct Cent: StoredScalar {
    public let amount: Int
    public var storedForm: Int { amount }
    public init(storedForm: Int) { amount = storedForm }
}
