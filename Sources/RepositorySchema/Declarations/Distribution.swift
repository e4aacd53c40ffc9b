/// `distribute`: which machines of a distributed database have which records of an entity.
public enum Distribution: Sendable, Hashable {
    /// The records with the same value of a field are on one machine.
    case field(String)
    /// Every machine has all records.
    case everywhere

    /// Creates a distribution from the value of the key.
    public init(_ text: String) {
        self = text == "everywhere" ? .everywhere : .field(text)
    }

    /// The value of the key.
    public var text: String {
        switch self {
        case .field(let name): name
        case .everywhere: "everywhere"
        }
    }
}

extension EntityDeclaration {
    /// The field by which the records are distributed; nil if they are not, or are everywhere.
    public var distributionField: String? {
        if case .field(let name)? = distribute?.value { return name }
        return nil
    }
}
