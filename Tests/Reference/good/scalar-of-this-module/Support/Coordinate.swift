public import RepositoryRuntime

nonisolated public struct Coordinate: StoredScalar {
    public var storedForm: String

    public init(storedForm: String) throws {
        self.storedForm = storedForm
    }
}
