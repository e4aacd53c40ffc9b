/// An id that consists of several components. The generator emits a struct with one `let` per
/// component, in the order of `id:`.
///
/// Document formats store it as an object, SQL stores as one column per component.
public protocol CompositeEntityID: EntityIdentifier, MappedRecord {
    /// The string form of each component, in order.
    var componentStrings: [String] { get }
    /// Creates an id from the string forms of its components; nil if one of them is invalid.
    init?(componentStrings: [String])
}

extension CompositeEntityID {
    /// The number of components.
    public static var componentCount: Int { Mapper.layout.fields.count }

    /// Encodes each component as the field at its index.
    public func encodeComponents<E: FieldEncoder>(to fields: inout E) throws {
        try Mapper.encode(self, to: &fields)
    }

    /// Decodes each component from the field at its index.
    public static func decodeComponents<D: FieldDecoder>(from fields: inout D) throws -> Self {
        try Mapper.decode(from: &fields)
    }

    /// A component may be empty, because the separators keep the whole id from being empty. No
    /// component may contain U+0000.
    public var invalidReason: String? {
        componentStrings.contains { $0.utf8.contains(0) } ? "it contains U+0000" : nil
    }

    /// Encodes the value as the field at `index`.
    @inlinable
    @inline(__always)
    public func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encodeComposite(self, at: index)
    }

    /// Decodes the field at `index`.
    @inlinable
    @inline(__always)
    public static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Self {
        try fields.decodeComposite(Self.self, at: index)
    }

    /// The components joined by `,`. A `%` or `,` inside a component is escaped as `%25` or `%2C`.
    public var description: String {
        componentStrings.map(CompositeIDText.escape).joined(separator: ",")
    }

    /// Parses the string form; nil if it is invalid.
    public init?(_ description: String) {
        guard let texts = CompositeIDText.components(of: description),
            texts.count == Self.componentCount
        else { return nil }
        self.init(componentStrings: texts)
    }
}

/// The escaping of components in the string form of a composite id. Stored data depends on it.
enum CompositeIDText {
    /// Escapes a component.
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

    /// The components of a string form; nil if a `%` is not followed by `25` or `2C`.
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
