/// Collects the cases found in a stored union. A valid union has exactly one.
public struct UnionCases<Union: EmbeddedValue> {
    private var found: Union?

    /// Creates an empty collection.
    public init() {}

    /// Adds a case that the stored union has.
    ///
    /// - Throws: ``RecordDecodingError`` if a case has been added before.
    public mutating func add(_ value: Union) throws {
        guard found == nil else {
            throw RecordDecodingError(
                "has several cases of \(Union.Mapper.layout.name)", isMismatch: true)
        }
        found = value
    }

    /// Returns the single case.
    ///
    /// - Throws: ``RecordDecodingError`` if no case has been added, for example because a newer
    ///   program stored an unknown case.
    public func only() throws -> Union {
        guard let found else {
            throw RecordDecodingError(
                "has no case of \(Union.Mapper.layout.name)", isMismatch: true)
        }
        return found
    }
}
