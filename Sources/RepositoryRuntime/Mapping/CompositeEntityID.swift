/// An id of several components. Generated as a struct with one `let` for each, in the order of `id:`.
///
/// In a format it is an object of its components; in a SQL store one column for each.
public protocol CompositeEntityID: EntityIdentifier, MappedRecord {
    /// The text form of each component, in order.
    var componentTexts: [String] { get }
    /// Makes an id of the text forms of its components; nil when one of them is not of its type.
    init?(componentTexts: [String])
}

extension CompositeEntityID {
    /// The number of components.
    public static var componentCount: Int { Mapper.layout.fields.count }

    /// Writes each component at its index.
    public func encodeComponents<E: FieldEncoder>(to fields: inout E) throws {
        try Mapper.encode(self, to: &fields)
    }

    /// Reads each component at its index.
    public static func decodeComponents<D: FieldDecoder>(from fields: inout D) throws -> Self {
        try Mapper.decode(from: &fields)
    }

    /// A component may be empty, because the separators keep the whole from being so; U+0000 stands in none.
    public var defect: String? {
        componentTexts.contains { $0.utf8.contains(0) } ? "it holds U+0000" : nil
    }

    /// Writes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeComposite(self, at: index)
    }

    /// Reads the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Self {
        try fields.decodeComposite(Self.self, at: index)
    }

    /// The components joined by `,`, with `%` and `,` inside them written `%25` and `%2C`.
    public var description: String {
        componentTexts.map(CompositeIDText.escape).joined(separator: ",")
    }

    /// Reads the text form; nil when it is not one.
    public init?(_ description: String) {
        guard let texts = CompositeIDText.components(of: description),
            texts.count == Self.componentCount
        else { return nil }
        self.init(componentTexts: texts)
    }
}

/// The escaping inside the text form of a composite id.
enum CompositeIDText {
    static func escape(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "%"): bytes.append(contentsOf: "%25".utf8)
            case UInt8(ascii: ","): bytes.append(contentsOf: "%2C".utf8)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The components of a text form, or nil where `%` is followed by anything but `25` and `2C`.
    static func components(of text: String) -> [String]? {
        var components: [String] = []
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: ","):
                components.append(String(decoding: bytes, as: UTF8.self))
                bytes.removeAll()
            case UInt8(ascii: "%"):
                if rest.starts(with: "25".utf8) {
                    bytes.append(UInt8(ascii: "%"))
                } else if rest.starts(with: "2C".utf8) {
                    bytes.append(UInt8(ascii: ","))
                } else {
                    return nil
                }
                rest = rest.dropFirst(2)
            default:
                bytes.append(byte)
            }
        }
        components.append(String(decoding: bytes, as: UTF8.self))
        return components
    }
}
