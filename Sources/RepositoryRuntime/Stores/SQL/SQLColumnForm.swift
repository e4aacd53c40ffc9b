/// The form of a column, before a dialect names its type: what a binder writes and a row reader
/// expects.
package enum SQLColumnForm: Sendable, Hashable {
    case boolean
    /// An integer that fits into `bits` bits with a sign.
    case integer(bits: Int)
    case float, double
    /// A decimal of fixed scale.
    case scaledDecimal(scale: Int)
    /// A decimal of any scale.
    case decimal
    /// A moment, whole microseconds.
    case date
    case text, uuid, data
    /// An embedded value, a list or a map, whole.
    case json

    /// The form of a field's type; a composite reference has one for each component instead.
    package init(_ type: StoredType) {
        switch type {
        case .bool: self = .boolean
        case .int8, .uint8, .int16: self = .integer(bits: 16)
        case .uint16, .int32: self = .integer(bits: 32)
        case .uint32, .int64: self = .integer(bits: 64)
        case .float: self = .float
        case .double: self = .double
        case .decimal(let scale?): self = .scaledDecimal(scale: scale)
        case .decimal(nil): self = .decimal
        case .date: self = .date
        case .text, .url: self = .text
        case .uuid: self = .uuid
        case .data: self = .data
        case .composite, .object, .list, .map: self = .json
        }
    }
}
