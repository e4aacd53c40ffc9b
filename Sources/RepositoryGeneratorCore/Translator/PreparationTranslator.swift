internal import RepositorySchema

/// The statements that make a record what is to be stored: stamped and rounded first, then checked.
struct PreparationTranslator {
    let variable: String
    let scope: SchemaScope

    /// The statements of one field; most have none.
    func statements(_ field: TranslatedField) -> [String] {
        let change = changed(field).map { "\(variable).\(field.storage) = \($0)" }
        return [change].compactMap { $0 } + checks(field)
    }

    /// The static pattern of a field.
    static func pattern(_ field: TranslatedField, _ names: OutputNames) -> String? {
        field.declaration.pattern.map {
            "private static let \(field.name)Pattern = \(names.qualified("TextPattern"))(\(SwiftLiteral.string($0.value)))"
        }
    }

    private func changed(_ field: TranslatedField) -> String? {
        // Ids never change, and hold nothing that is rounded.
        guard !field.isKey else { return nil }
        let declared = field.declaration
        let place = "\(variable).\(field.storage)"
        let name = SwiftLiteral.string(field.name)
        if let scale = declared.scale {
            return "try write.rounded(\(place), scale: \(scale.value), \(name))"
        }
        guard TypeTranslator(scope: scope).isPrepared(declared.type.value) else { return nil }
        let value = declared.onUpdateNow == nil ? place : "write.stamped(\(place))"
        let seconds = declared.keepsWholeSeconds ? ", wholeSeconds: true" : ""
        return "try write.prepared(\(value), \(name)\(seconds))"
    }

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

    private func bound(
        _ label: String, _ literal: Located<Literal>?, _ field: FieldDeclaration
    ) -> String? {
        literal.map {
            ", \(label): " + LiteralTranslator(scope: scope).swift($0.value, as: field.type.value)
        }
    }
}
