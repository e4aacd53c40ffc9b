package import RepositoryRuntime
internal import StoredSchema

/// The representation of values in a column, independent of the dialect's type names. Binders write
/// it and row readers expect it.
///
/// The first group of cases is the default for each ``StoredType``. The cases from ``dateText`` on
/// are declared with ``StoredForm`` or occur in unmanaged tables, for existing databases.
package enum SQLColumnForm: Sendable, Hashable {
    case boolean
    /// An integer that fits into `bits` bits with a sign.
    case integer(bits: Int)
    case float, double
    /// A decimal with a fixed scale, stored as a scaled integer.
    case scaledDecimal(scale: Int)
    /// A decimal of any scale, stored as its canonical text.
    case decimal
    /// A date, in whole microseconds since 1970.
    case date
    case text, uuid, data
    /// An embedded value, a list or a map.
    case json
    /// A date as text, in any of the formats that SQLite's date functions accept.
    case dateText
    /// A date in whole seconds since 1970.
    case dateSeconds
    /// A date in seconds since 1970, as a floating-point number.
    case dateReal
    /// A date in one of the forms of other programs. ``DateForm/microseconds`` is ``date``.
    case dateIn(DateForm)
    /// The 16 bytes of a UUID.
    case uuidBlob
    /// A UUID as lowercase text.
    case uuidLowercase
    /// A value of any type, read as text and never written.
    case anyText
    /// A decimal as text that other programs may have written, so that one number may have several
    /// texts.
    case decimalText
    /// A decimal as the nearest floating-point number. With a scale, the number is rounded to it
    /// when read.
    case decimalReal(scale: Int?)
    /// A decimal in a column type of exact numbers, with a fixed scale or any.
    case numeric(scale: Int?)
    /// A day in a column type of its own.
    case day
    /// An encrypted value of any type, as bytes. The database can only test it for null.
    case encrypted

    /// Creates the default representation of a field's type. A composite reference has one for each
    /// component instead.
    package init(_ type: StoredType) {
        guard case .single(let base, let scale) = type.structure else {
            self = .json
            return
        }
        switch base.kind {
        case .bool: self = .boolean
        case .integer: self = .integer(bits: Self.bits(of: base))
        case .double: self = base == .float ? .float : .double
        case .decimal: self = scale.map { .scaledDecimal(scale: $0) } ?? .decimal
        case .date: self = .date
        case .text: self = .text
        case .uuid: self = .uuid
        case .data: self = .data
        }
    }

    /// Creates the representation of a type in a database that has a column type for each base type,
    /// so that nothing is declared to be stored otherwise.
    package init(native type: StoredType) {
        switch type.structure {
        case .single(.localDate, _): self = .day
        case .single(let base, let scale) where base.kind == .decimal:
            self = .numeric(scale: scale)
        default: self.init(type)
        }
    }

    /// The number of bits of the smallest signed column that can store an integer type: 16, 32 or
    /// 64.
    private static func bits(of base: StoredBaseType) -> Int {
        let maximum = base.integers?.upperBound ?? .max
        return maximum <= Int64(Int16.max) ? 16 : maximum <= Int64(Int32.max) ? 32 : 64
    }

    /// Creates the representation of a type, with a declared `storedAs` if it applies to the type.
    package init(_ type: StoredType, storedAs form: StoredForm?) {
        switch (type, form) {
        case (_, .encrypted?): self = .encrypted
        case (.date, .text?): self = .dateText
        case (.date, .integer?): self = .dateSeconds
        case (.date, .real?): self = .dateReal
        case (.date, let form?):
            guard let date = DateForm(rawValue: form.rawValue), date != .microseconds else {
                self.init(type)
                return
            }
            self = .dateIn(date)
        case (.uuid, .blob?): self = .uuidBlob
        case (.uuid, .lowercaseText?): self = .uuidLowercase
        case (.decimal, .text?): self = .decimalText
        case (.decimal(let scale), .real?): self = .decimalReal(scale: scale)
        default: self.init(type)
        }
    }

    /// The representation in an unmanaged table.
    package var foreign: Self { self == .decimal ? .decimalText : self }

    /// Whether the database can only test values for null.
    package var isOpaque: Bool { self == .json || self == .encrypted }

    /// Whether the representation results only from `storedAs` or an unmanaged table.
    package var isOther: Bool {
        switch self {
        case .dateText, .dateSeconds, .dateReal, .dateIn, .uuidBlob, .uuidLowercase, .decimalText,
            .decimalReal:
            true
        default: false
        }
    }
}
