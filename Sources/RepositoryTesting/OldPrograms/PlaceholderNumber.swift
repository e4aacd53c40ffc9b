internal import RepositoryRuntime
internal import Synchronization

/// A number as a type.
///
/// Mappers and layouts are static members of types, and the tables of old versions are known only
/// when a check runs. A placeholder type therefore has such a number as its type parameter, under
/// which its description is registered. A number is never used twice, so that everything that a
/// store caches for a type stays valid.
protocol PlaceholderNumber: Sendable {
    /// The number.
    static var value: Int { get }
}

/// Zero.
enum NumberZero: PlaceholderNumber {
    static var value: Int { 0 }
}

/// Twice another number.
enum NumberEven<Half: PlaceholderNumber>: PlaceholderNumber {
    static var value: Int { 2 * Half.value }
}

/// Twice another number and one.
enum NumberOdd<Half: PlaceholderNumber>: PlaceholderNumber {
    static var value: Int { 2 * Half.value + 1 }
}

/// What a placeholder type stands for.
enum PlaceholderPart: Sendable {
    /// A table with the forms of its fields and of its id.
    case table(EntityTable, [PlaceholderField], id: PlaceholderForm)
    /// An embedded value or a composite id.
    case members(FieldLayout, [PlaceholderField])
    /// The elements of a list or the values of a map.
    case element(PlaceholderField)
}

/// How the values of a field are encoded.
struct PlaceholderField: Sendable {
    /// The form of a value that is not null.
    let form: PlaceholderForm
    /// Whether the value may be null.
    let isOptional: Bool
    /// The value of records that lack the field.
    let defaultValue: StoredValue?
}

/// How a value is encoded, with the placeholder types that the methods of encoders need.
enum PlaceholderForm: Sendable {
    /// A single value.
    case single(StoredType)
    /// A reference to an entity with a composite id.
    case composite(any PlaceholderNumber.Type)
    /// An embedded value.
    case object(any PlaceholderNumber.Type)
    /// A list.
    case list(any PlaceholderNumber.Type)
    /// A map.
    case map(any PlaceholderNumber.Type)
}

/// The descriptions of all placeholder types of the process.
enum Placeholders {
    private static let parts = Mutex<[PlaceholderPart]>([])

    /// Registers a description and returns its number.
    static func register(_ part: PlaceholderPart) -> any PlaceholderNumber.Type {
        let number = parts.withLock { parts in
            parts.append(part)
            return parts.count - 1
        }
        return numberType(number)
    }

    /// Returns the description that is registered under a number.
    static func part(_ number: (some PlaceholderNumber).Type) -> PlaceholderPart? {
        let index = number.value
        return parts.withLock { $0.indices.contains(index) ? $0[index] : nil }
    }

    /// Returns a number as a type.
    private static func numberType(_ number: Int) -> any PlaceholderNumber.Type {
        if number == 0 { return NumberZero.self }
        let half = numberType(number / 2)
        return number.isMultiple(of: 2) ? even(half) : odd(half)
    }

    private static func even<Half: PlaceholderNumber>(
        _ half: Half.Type
    ) -> any PlaceholderNumber.Type {
        NumberEven<Half>.self
    }

    private static func odd<Half: PlaceholderNumber>(
        _ half: Half.Type
    ) -> any PlaceholderNumber.Type {
        NumberOdd<Half>.self
    }
}

extension PlaceholderNumber {
    /// The registered layout; a layout without fields if the number is not one of members.
    static var layout: FieldLayout {
        guard case .members(let layout, _)? = Placeholders.part(Self.self) else {
            return FieldLayout("a placeholder", [])
        }
        return layout
    }

    /// The registered members or fields.
    static var fields: [PlaceholderField] {
        switch Placeholders.part(Self.self) {
        case .members(_, let fields), .table(_, let fields, _): fields
        case .element, nil: []
        }
    }

    /// The registered table.
    static var table: EntityTable {
        guard case .table(let table, _, _)? = Placeholders.part(Self.self) else {
            return EntityTable("placeholders", entity: "Placeholder")
        }
        return table
    }

    /// The form of the registered table's id.
    static var id: PlaceholderForm {
        guard case .table(_, _, let id)? = Placeholders.part(Self.self) else {
            return .single(.text)
        }
        return id
    }

    /// The registered form of elements.
    static var element: PlaceholderField {
        guard case .element(let field)? = Placeholders.part(Self.self) else {
            return PlaceholderField(form: .single(.text), isOptional: false, defaultValue: nil)
        }
        return field
    }
}
