public import RepositoryRuntime

nonisolated public struct Code: StoredScalar, IdentifierValue {
    public let text: String
    public var storedForm: String { text }
    public init(storedForm: String) { text = storedForm }
}
