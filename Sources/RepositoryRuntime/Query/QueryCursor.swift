internal import Foundation

/// A place between two entities of a query, by the sort values and the id of the one before it.
///
/// It stays good whatever is inserted, changed or deleted, the entity before it included. It can be kept: as `Codable`
/// it is one text, of letters, digits, `-` and `_`, which is also its `description`. The text is opaque, not secret: it
/// holds the values by which the query sorts, those of sensitive fields too. Inside of other values it is not printed.
public struct QueryCursor: Sendable, Hashable {
    /// The order in which this is a place: the table and the sort keys.
    package let order: String
    /// The sort values and the components of the id.
    package let position: [StoredValue]

    package init(order: String, position: [StoredValue]) {
        self.order = order
        self.position = position
    }
}

extension QueryCursor: LosslessStringConvertible {
    /// The text that the cursor can be made of again.
    public var description: String {
        var bytes = StoredValueBytes()
        bytes.append(.text(order))
        for value in position { bytes.append(value) }
        return Data(bytes.bytes).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    /// Reads the text of a cursor; nil when it is not one.
    public init?(_ description: String) {
        let standard = description.replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: standard + padding),
            let values = StoredValueBytes.values(of: Array(data)),
            case .text(let order) = values.first
        else { return nil }
        self.init(order: order, position: Array(values.dropFirst()))
    }
}

extension QueryCursor: Codable {
    /// Reads the text of a cursor.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let cursor = Self(text) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "The text is no cursor."))
        }
        self = cursor
    }

    /// Writes the text of the cursor.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension QueryCursor: CustomDebugStringConvertible, CustomReflectable {
    /// That it is a cursor, and of how many values: inside of another value, such as a page, its text is not shown.
    public var debugDescription: String { "QueryCursor(of \(position.count) values)" }
    /// A mirror without the values.
    public var customMirror: Mirror { Mirror(hiding: self) }
}

/// Some of the entities of a query, and the place where the next ones start.
public struct QueryPage<Model: Entity>: Sendable, Hashable {
    /// The entities, in the order of the query.
    public let items: [Model]
    /// The place after the last of them; nil where nothing follows.
    public let next: QueryCursor?
}
