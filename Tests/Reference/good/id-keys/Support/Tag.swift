public import RepositoryRuntime

nonisolated public struct Tag: StoredScalar {
    public let text: String
    public var storedForm: String { text }
    public init(storedForm: String) { text = storedForm }
}
