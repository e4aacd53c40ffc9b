/// The cases that a stored union holds, of which there must be one.
public struct UnionCases<Union: EmbeddedValue> {
    private var found: Union?

    /// Begins with none.
    public init() {}

    /// Adds a case that is there.
    ///
    /// - Throws: ``RecordDecodingError`` when there is one already.
    public mutating func add(_ value: Union) throws {
        guard found == nil else {
            throw RecordDecodingError(
                "holds several cases of \(Union.Mapper.layout.name)", isMismatch: true)
        }
        found = value
    }

    /// The one case.
    ///
    /// - Throws: ``RecordDecodingError`` when there is none, as when a newer program wrote one that this one lacks.
    public func only() throws -> Union {
        guard let found else {
            throw RecordDecodingError(
                "holds no case of \(Union.Mapper.layout.name)", isMismatch: true)
        }
        return found
    }
}
