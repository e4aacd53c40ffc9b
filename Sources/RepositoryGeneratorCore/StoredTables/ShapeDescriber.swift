internal import RepositorySchema
internal import StoredSchema

/// Describes the stored types of fields; see ``TypeTranslator``, which writes them for the runtime.
struct ShapeDescriber {
    /// The scope in which types are resolved.
    let scope: SchemaScope

    /// Returns the stored type of a field.
    ///
    /// - Parameters:
    ///   - type: the type of the field.
    ///   - scale: the number of digits after the decimal point of a Decimal.
    func shape(of type: TypeExpression, scale: Int? = nil) -> StoredShape {
        switch type {
        case .base(let base): StoredShape(base.stored, scale: base == .decimal ? scale : nil)
        case .optional(let wrapped): shape(of: wrapped, scale: scale)
        case .list(let element):
            .list(shape(of: element, scale: scale), optionalElements: element.isOptional)
        case .map(let value):
            .map(shape(of: value, scale: scale), optionalElements: value.isOptional)
        case .named(let name): shape(named: name)
        }
    }

    /// Returns the constant default of a field; nil if it has none.
    func constantDefault(of field: FieldDeclaration) -> StoredConstant? {
        guard case .literal(let literal) = field.defaultValue?.value else { return nil }
        return ConstantDescriber(scope: scope).constant(literal, as: field.type.value)
    }

    /// Returns the raw strings of the cases of the closed enum that a type contains; nil if it
    /// contains none.
    func cases(of type: TypeExpression) -> [String]? {
        guard case .enumeration(let enumeration) = scope.kind(of: type),
            enumeration.unknownCase == nil
        else { return nil }
        let names = enumeration.cases.map { item in
            let raw = item.rawValue?.value ?? item.name.value
            // Integers in their canonical form: `007` is stored as 7.
            return enumeration.rawType.value == .int
                ? Int64(raw).map { String($0) } ?? raw : raw
        }
        return names.sorted(by: UTF8Order.precedes)
    }

    /// Returns the stored type of a declaration. A reference is stored like the id that it refers
    /// to.
    private func shape(named first: String) -> StoredShape {
        var name = first
        // An id can be a reference itself, in a chain as long as the schema, so this is a loop
        // instead of a recursion.
        while case .entity(let entity) = scope.declarations[name] {
            switch entity.identity {
            case .single(let field):
                guard case .named(let next) = field.type.value else {
                    return shape(of: field.type.value)
                }
                name = next
            case .composite:
                return .composite(scope.identityFields(of: entity).map { member($0, of: name) })
            }
        }
        switch scope.declarations[name] {
        case .value(let value): return .object(value.fields.map { member($0, of: name) })
        case .union(let union):
            return .object(union.cases.map { member($0, of: union) })
        case .enumeration(let enumeration): return shape(of: .base(enumeration.rawType.value))
        case .scalar(let scalar): return shape(of: .base(scalar.stored.value))
        // The validator rejects mixins as types.
        case .entity, .mixin, nil: return .single("text")
        }
    }

    /// Describes a field of a value, of a union case or of a composite id.
    private func member(_ field: FieldDeclaration, of owner: String) -> StoredMember {
        let translated = TranslatedField(field, of: owner, scope: scope)
        return StoredMember(
            name: translated.name,
            type: shape(of: field.type.value, scale: field.scale?.value),
            isOptional: field.type.value.isOptional, defaultValue: constantDefault(of: field),
            cases: cases(of: field.type.value),
            renamedFrom: EarlierNames(FieldRenames(translated, scope).names))
    }

    /// Describes a case of a union, which is stored as an optional member.
    private func member(_ item: UnionCaseDeclaration, of union: UnionDeclaration) -> StoredMember {
        let owner = UnionCaseName(union, item).text
        return StoredMember(
            name: item.name.value, type: .object(item.fields.map { member($0, of: owner) }),
            isOptional: true)
    }
}
