internal import Foundation

/// A position between two results of a query, given by the sort values and the id of the entity
/// before it.
///
/// A cursor stays valid when entities are inserted, changed or deleted, including the entity before
/// it. It can be stored: its `Codable` representation is one string of letters, digits, `-` and
/// `_`, which is also its `description`. The string is opaque but not secret: it contains the
/// values by which the query sorts, including those of sensitive fields. The debug description,
/// which is used when a cursor is printed as part of another value, does not contain it.
public struct QueryCursor: Sendable, Hashable {
    /// Identifies the order in which this is a position: the table and the sort keys, as
    /// ``QueryEvaluator`` spells them.
    package let order: String
    /// The values of the sort keys, followed by the components of the id.
    package let position: [StoredValue]

    package init(order: String, position: [StoredValue]) {
        self.order = order
        self.position = position
    }
}

extension QueryCursor: LosslessStringConvertible {
    /// The string from which ``init(_:)`` restores the cursor: a lossless binary encoding of its
    /// values, in URL-safe Base64 without padding.
    public var description: String {
        var bytes = StoredValueBytes()
        bytes.append(.text(order))
        for value in position { bytes.append(value) }
        return Data(bytes.bytes).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    /// Decodes the string of a cursor. Returns nil if the string is malformed.
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
    /// Decodes the cursor from its string.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if the string is malformed.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let cursor = Self(text) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "The text is no cursor."))
        }
        self = cursor
    }

    /// Encodes the cursor as its string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension QueryCursor: CustomDebugStringConvertible, CustomReflectable {
    /// The type and the number of values. The string itself is not shown where a cursor is printed
    /// as part of another value, such as a page.
    public var debugDescription: String { "QueryCursor(of \(position.count) values)" }
    /// A mirror without the values.
    public var customMirror: Mirror { Mirror(hiding: self) }
}

/// A part of the results of a query, with the position where the next part starts.
public struct QueryPage<Model: Entity>: Sendable, Hashable {
    /// The entities, in the order of the query.
    public let items: [Model]
    /// The position after the last entity; nil if no entity follows.
    public let next: QueryCursor?
}
