internal import Foundation
package import StoredSchema

extension StoredBaseType {
    /// Returns whether a string is a value of a type that is stored as text.
    func accepts(_ text: String) -> Bool {
        switch self {
        case .url: URL(string: text) != nil
        case .localDate: LocalDate(text) != nil
        case .externalData: ExternalData(text) != nil
        default: true
        }
    }
}

extension FieldDecoder {
    /// Decodes a required value of a type that is known only at run time.
    package mutating func decode(_ base: StoredBaseType, at index: Int) throws -> StoredValue {
        switch base {
        case .bool: .bool(try decodeBool(at: index))
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32:
            .integer(try decodeInteger(at: index))
        case .float: .double(Double(try decodeFloat(at: index)))
        case .double: .double(try decodeDouble(at: index))
        case .decimal: .decimal(try decodeDecimal(at: index))
        case .date: .date(try decodeDate(at: index))
        case .text: .text(try decodeString(at: index))
        case .url: .text(try decodeURL(at: index).absoluteString)
        case .uuid: .uuid(try decodeUUID(at: index))
        case .data: .data(try decodeData(at: index))
        case .localDate: .text(try LocalDate.decode(from: &self, at: index).description)
        case .externalData: .text(try ExternalData.decode(from: &self, at: index).description)
        }
    }
}
