internal import Foundation
package import RepositoryRuntime

extension StoredValue {
    /// The JSON text that a field with this value is stored as; nil if JSON cannot represent it.
    package var jsonText: String? {
        // The generator has rejected defaults that JSON cannot represent, so they cannot occur
        // here.
        try? JSONFieldText.encode(ConstantField(value: self))
    }
}

/// A constant as a field value, so that it can be encoded. It cannot be decoded.
private struct ConstantField: FieldValue {
    let value: StoredValue

    func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        switch value {
        case .null: try fields.encodeNil(at: index)
        case .bool(let value): try fields.encodeBool(value, at: index)
        case .integer(let value): try fields.encodeInteger(value, at: index)
        case .double(let value): try fields.encodeDouble(value, at: index)
        case .decimal(let value): try fields.encodeDecimal(value, at: index)
        case .date(let value): try fields.encodeDate(value, at: index)
        case .uuid(let value): try fields.encodeUUID(value, at: index)
        case .text(let value): try fields.encodeString(value, at: index)
        case .data(let value): try fields.encodeData(value, at: index)
        case .list(let values):
            try fields.encodeList(values.map(ConstantField.init), at: index)
        case .object(let values):
            try fields.encodeMap(values.mapValues(ConstantField.init), at: index)
        }
    }

    static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Self {
        throw CRUDRepositoryError.unsupported("reading a constant", by: "a SQL store")
    }
}
