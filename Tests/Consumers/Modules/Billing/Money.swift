public import RepositoryRuntime

public struct Money: StoredScalar {
    public var storedForm: Int

    public init(storedForm: Int) throws {
        self.storedForm = storedForm
    }
}
