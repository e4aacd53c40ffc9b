internal import RepositorySchema

/// What to write for a decision.
struct Recipe {
    private let scope: SchemaScope

    init(_ scope: SchemaScope) { self.scope = scope }

    /// Returns the help for a field for which stored records have no value.
    func fill(_ field: FieldDeclaration) -> String {
        let value = sample(field).map { "'fill: \($0)', another value or " } ?? ""
        return "write \(value)'fill: code' at \(Self.label(field)) for the stored records"
    }

    /// Returns the help for a field whose stored values must be converted.
    func conversion(_ field: FieldDeclaration, _ conversion: ValueConversion) -> String {
        let place = "at \(Self.label(field))"
        switch conversion {
        case .unsupported: return "write 'convert: code' \(place)"
        case .always:
            return "write 'convert: value' \(place) to keep the values in the new type, or "
                + "'convert: code'"
        case .mayFail:
            let otherwise = sample(field).map { ", 'convert: { value, otherwise: \($0) }'" } ?? ""
            return
                "write 'convert: value' \(place) to keep the values in the new type\(otherwise), "
                + "or 'convert: code'"
        }
    }

    /// Returns a value of the type of a field, as YAML; nil if no value is more likely than others.
    func sample(_ field: FieldDeclaration) -> String? {
        switch field.type.value.unwrapped {
        case .list: return "[]"
        case .map: return "{}"
        case .base, .named, .optional: break
        }
        switch scope.kind(of: field.type.value) {
        case .base(let base): return base.sample
        case .enumeration(let enumeration): return enumeration.cases.first?.name.value
        case .entity, .value, .union, .scalar, .unknown: return nil
        }
    }

    /// The field in a message, with the mixin that declares it.
    static func label(_ field: FieldDeclaration) -> String {
        let mixin = field.origin.map { " of the mixin '\($0.value)'" } ?? ""
        return "the field '\(field.name.value)'\(mixin)"
    }
}
