public import RepositoryRuntime

nonisolated public struct Element: StoredScalar {
    public let number: Int
    public var storedForm: Int { number }
    public init(storedForm: Int) { number = storedForm }
}
