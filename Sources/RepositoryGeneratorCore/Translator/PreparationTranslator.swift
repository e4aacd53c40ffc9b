internal import RepositorySchema
internal import StoredSchema

/// Creates the statements that prepare a record for a write: first timestamps and rounding, then
/// the checks of constraints.
///
/// ```swift
/// try write.check(book.pages, "pages", minimum: 1, maximum: 20000)
/// book.price = try write.rounded(book.price, scale: 2, "price")
/// book.updatedAt = try write.prepared(write.stamped(book.updatedAt), "updatedAt")
/// ```
struct PreparationTranslator {
    /// The name of the variable for the record.
    let variable: String
    /// The scope in which types are resolved.
    let scope: SchemaScope

    /// Returns the statements for one field. Most fields have none.
    func statements(_ field: TranslatedField) -> [String] {
        let change = changed(field).map { "\(variable).\(field.storage) = \($0)" }
        return [change].compactMap { $0 } + checks(field)
    }

    /// Returns the statement that sets the date of creation of a new record, and keeps that of a
    /// stored one; nil for other fields.
    func creation(_ field: TranslatedField) -> String? {
        let declared = field.declaration
        guard declared.onCreateNow != nil else { return nil }
        let place = "\(variable).\(field.storage)"
        // The update sets the date itself.
        if declared.onUpdateNow != nil { return "if stored == nil { \(place) = write.now }" }
        let value = "stored?.\(field.storage)"
        return declared.type.value.isOptional
            ? "\(place) = stored == nil ? write.now : \(value)"
            : "\(place) = \(value) ?? write.now"
    }

    /// Returns the declaration of the static pattern of a field, or nil if the field has none.
    static func pattern(_ field: TranslatedField, _ names: OutputNames) -> String? {
        field.declaration.pattern.map {
            "private static let \(field.name)Pattern = \(names.qualified("TextPattern"))(\(SwiftLiteral.string($0.value)))"
        }
    }

    /// The expression that replaces the field's value, or nil if the value is stored unchanged.
    private func changed(_ field: TranslatedField) -> String? {
        let declared = field.declaration
        // Ids never change, and their types need no rounding. A value that the database computes is
        // a constant.
        guard !field.isKey, !declared.isOnlyRead else { return nil }
        let place = "\(variable).\(field.storage)"
        let name = SwiftLiteral.string(field.name)
        if let scale = declared.scale {
            return "try write.rounded(\(place), scale: \(scale.value), \(name))"
        }
        guard TypeTranslator(scope: scope).isPrepared(declared.type.value) else { return nil }
        let value = declared.onUpdateNow == nil ? place : "write.stamped(\(place))"
        return "try write.prepared(\(value), \(name)\(precision(declared)))"
    }

    /// The argument that rounds dates to the precision of their form in a column.
    private func precision(_ field: FieldDeclaration) -> String {
        guard let form = field.sqliteForm.flatMap({ StoredColumnForm(rawValue: $0.value) }),
            isDate(field.type.value)
        else { return "" }
        if form == .integer { return ", wholeSeconds: true" }
        return form.isOfDates ? ", as: .\(form.rawValue)" : ""
    }

    /// Whether a type is a single date, or a scalar that is stored as one.
    private func isDate(_ type: TypeExpression) -> Bool {
        switch scope.kind(of: type) {
        case .base(let base): base == .date
        case .scalar(let scalar): scalar.stored.value == .date
        case .value, .union, .entity, .enumeration, .unknown: false
        }
    }

    /// The statements that check bounds, lengths and the pattern.
    private func checks(_ field: TranslatedField) -> [String] {
        let declared = field.declaration
        let value = "\(field.checked(variable)), \(SwiftLiteral.string(field.name))"
        var statements: [String] = []
        let bounds = [
            bound("minimum", declared.minimum, declared),
            bound("maximum", declared.maximum, declared),
        ]
        if bounds.contains(where: { $0 != nil }) {
            statements.append("try write.check(\(value)\(bounds.compactMap { $0 }.joined()))")
        }
        let lengths = [
            declared.minLength.map { ", minimum: \($0.value)" },
            declared.maxLength.map { ", maximum: \($0.value)" },
        ]
        if lengths.contains(where: { $0 != nil }) {
            statements.append(
                "try write.checkLength(\(value)\(lengths.compactMap { $0 }.joined()))")
        }
        if declared.pattern != nil {
            statements.append("try write.check(\(value), matches: \(field.name)Pattern)")
        }
        return statements
    }

    /// An argument of the bounds check, or nil if there is no bound.
    private func bound(
        _ label: String, _ literal: Located<Literal>?, _ field: FieldDeclaration
    ) -> String? {
        literal.map {
            ", \(label): " + LiteralTranslator(scope: scope).swift($0.value, as: field.type.value)
        }
    }
}
