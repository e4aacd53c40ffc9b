package import Foundation

/// The canonical bytes of records: CBOR with the deterministic encoding of RFC 8949, section 4.2, as
/// a map of field names without the fields that are null.
///
/// Two records have the same bytes if all of their fields have equal values, in whatever store they
/// are. Negative zero is written as zero, whose sign SQLite does not keep.
package struct CanonicalCBOR: Sendable {
    /// The fields in the order of their encoded names.
    private let fields: [(index: Int, name: String)]

    /// Prepares the encoding of records with a layout.
    ///
    /// - Parameter omitted: the indexes of fields that are left out.
    package init(_ layout: FieldLayout, omitting omitted: [Int] = []) {
        fields = layout.fields.indices.filter { !omitted.contains($0) }
            .map { ($0, layout.fields[$0].name) }
            .sorted { CBORWriter.precedes($0.name, $1.name) }
    }

    /// Returns the bytes of a record.
    ///
    /// - Parameter values: the values by field index.
    /// - Throws: an error if a date or decimal has no encoding.
    package func bytes(of values: [StoredValue]) throws -> Data {
        var writer = CBORWriter()
        do {
            let stored = fields.filter { values[$0.index] != .null }
            writer.beginMap(count: stored.count)
            for field in stored {
                writer.write(field.name)
                try writer.writeCanonical(values[field.index])
            }
        } catch {
            writer.discard()
            throw error
        }
        return writer.takeDocument()
    }
}

extension CBORWriter {
    /// Whether a key precedes another one in the bytewise order of their encodings, in which shorter
    /// strings are first.
    fileprivate static func precedes(_ left: String, _ right: String) -> Bool {
        let (one, two) = (left.utf8.count, right.utf8.count)
        return one == two ? String.identifierPrecedes(left, right) : one < two
    }

    /// Writes a value in the canonical encoding.
    fileprivate mutating func writeCanonical(_ value: StoredValue) throws {
        switch value {
        case .null: writeNull()
        case .bool(let value): write(value)
        case .integer(let value): write(value)
        case .double(let value): write(value == 0 ? 0 : value)
        case .decimal(let value): try write(value)
        case .date(let value): try write(value)
        case .uuid(let value): write(value)
        case .text(let value): write(value)
        case .data(let value): write(value)
        case .list(let elements):
            beginList(count: elements.count)
            for element in elements { try writeCanonical(element) }
        case .object(let members):
            beginMap(count: members.count)
            for (name, member) in members.sorted(by: { Self.precedes($0.key, $1.key) }) {
                write(name)
                try writeCanonical(member)
            }
        }
    }
}
