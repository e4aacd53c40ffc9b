public import RepositoryRuntime

nonisolated public struct ParcelCode: StoredScalar, IdentifierValue {
    public var storedForm: String

    public init(storedForm: String) {
        self.storedForm = storedForm
    }
}
