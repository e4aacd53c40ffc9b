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
    /// A moment as text, in any of the forms that SQLite's functions know.
    case dateText
    /// A moment in whole seconds since 1970.
    case dateSeconds
    /// A moment in seconds since 1970, a floating-point number.
    case dateReal
    /// The 16 bytes of a UUID.
    case uuidBlob
    /// A UUID as text in lower case.
    case uuidLowercase
    /// A decimal as text that somebody else may have written: one number has several texts.
    case decimalText
    /// A decimal as the nearest floating-point number; with a scale the number is read rounded to it.
    case decimalReal(scale: Int?)

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

    /// The form of a type where another one than the usual is declared.
    package init(_ type: StoredType, storedAs form: StoredForm?) {
        switch (type, form) {
        case (.date, .text?): self = .dateText
        case (.date, .integer?): self = .dateSeconds
        case (.date, .real?): self = .dateReal
        case (.uuid, .blob?): self = .uuidBlob
        case (.uuid, .lowercaseText?): self = .uuidLowercase
        case (.decimal, .text?): self = .decimalText
        case (.decimal(let scale), .real?): self = .decimalReal(scale: scale)
        default: self.init(type)
        }
    }

    /// The form in a table of somebody else's.
    package var foreign: Self { self == .decimal ? .decimalText : self }

    /// Whether it is one that `storedAs` alone gives.
    package var isOther: Bool {
        switch self {
        case .dateText, .dateSeconds, .dateReal, .uuidBlob, .uuidLowercase, .decimalText,
            .decimalReal:
            true
        default: false
        }
    }
}
