internal import RepositorySchema
internal import StoredSchema

/// The difference between the type of a field in a version and now, without its outermost optional.
enum TypeChange: Equatable {
    /// The same type, perhaps of another name in Swift that `type-renamed` reports.
    case same
    /// Another Swift type with the same stored values.
    case swiftOnly
    /// Every stored value is a value of the new type.
    case widened
    /// Stored values must be converted.
    case converted
}

/// How the values of a type become values of another by `convert: value`.
enum ValueConversion: Equatable {
    /// Every value has a counterpart.
    case always
    /// Some values may have none.
    case mayFail
    /// There is no such conversion.
    case unsupported
}

/// Compares types of two versions.
struct TypeComparison {
    /// The scope of the version.
    let old: SchemaScope
    /// The present scope.
    let new: SchemaScope
    /// The present names of the declarations of the version.
    let names: [String: String]

    /// Compares the types and scales of two fields, without their outermost optionals.
    ///
    /// What `changes` reports and what the generated code does follow from this alone: a decision
    /// `convert` counts exactly if the result is ``TypeChange/converted``.
    func change(_ before: FieldDeclaration, _ after: FieldDeclaration) -> TypeChange {
        before.scale?.value == after.scale?.value
            ? change(before.type.value, after.type.value) : .converted
    }

    /// Compares two types, without their outermost optionals and scales.
    func change(_ before: TypeExpression, _ after: TypeExpression) -> TypeChange {
        switch (before.unwrapped, after.unwrapped) {
        case (.list(let from), .list(let to)), (.map(let from), .map(let to)):
            if from.isOptional, !to.isOptional { return .converted }
            let inner = change(from, to)
            if from.isOptional == to.isOptional { return inner }
            return inner == .converted ? .converted : .widened
        case (.list, _), (.map, _), (_, .list), (_, .map): return .converted
        case (let from, let to): return single(from, to)
        }
    }

    private func single(_ from: TypeExpression, _ to: TypeExpression) -> TypeChange {
        // Where an enum has raw values of another type, each case keeps its meaning.
        if isSameDeclaration(from, to), !isScalar(to) { return .same }
        guard let before = storedBase(from, old), let after = storedBase(to, new) else {
            return .converted
        }
        // The raw values of an enum and other values of their type are different types.
        guard before.isEnumeration == after.isEnumeration, !after.isEnumeration else {
            return .converted
        }
        if before.base == after.base { return from == to ? .same : .swiftOnly }
        let (small, large) = (before.base.stored, after.base.stored)
        if small == large { return .swiftOnly }
        return large.widens(small) ? .widened : .converted
    }

    /// Returns the base type that a scalar in a type is stored as; nil for other types.
    func scalarBase(_ type: TypeExpression, _ scope: SchemaScope) -> BaseType? {
        if case .scalar(let scalar) = scope.kind(of: type) { return scalar.stored.value }
        return nil
    }

    private func isScalar(_ type: TypeExpression) -> Bool {
        if case .scalar = new.kind(of: type) { return true }
        return false
    }

    /// The base type that values of a type are stored as; nil for values, unions and composite ids.
    private func storedBase(
        _ type: TypeExpression, _ scope: SchemaScope
    ) -> (base: BaseType, isEnumeration: Bool)? {
        var type = type
        // Chains of references end: the validator rejects cycles of ids.
        for _ in 0...scope.entities.count {
            switch scope.kind(of: type) {
            case .base(let base): return (base, false)
            case .scalar(let scalar): return (scalar.stored.value, false)
            case .enumeration(let enumeration): return (enumeration.rawType.value, true)
            case .entity(let entity):
                guard case .single(let id) = entity.identity else { return nil }
                type = id.type.value
            case .value, .union, .unknown: return nil
            }
        }
        return nil
    }

    /// Returns how `convert: value` converts values of a type to another.
    ///
    /// - Parameters:
    ///   - before: The type in the version, without its outermost optional.
    ///   - after: The present type, without its outermost optional.
    ///   - scales: The scales of the decimals; nil for a decimal of any scale.
    func conversion(
        _ before: TypeExpression, _ after: TypeExpression, scales: (old: Int?, new: Int?)
    ) -> ValueConversion {
        let (before, after) = (before.unwrapped, after.unwrapped)
        switch (before, after) {
        case (.list(let from), .list(let to)), (.map(let from), .map(let to)):
            let inner = conversion(from, to, scales: scales)
            return inner == .always && from.isOptional && !to.isOptional ? .mayFail : inner
        case (_, .list(let element)) where !before.isMap:
            return conversion(before, element, scales: scales)
        case (.list, _), (.map, _), (_, .list), (_, .map): return .unsupported
        default: break
        }
        if change(before, after) == .same, scales.old == scales.new { return .always }
        guard let from = storedBase(before, old), let to = storedBase(after, new) else {
            return .unsupported
        }
        if to.isEnumeration {
            return Self.conversion(from.base, to.base, (nil, nil)) == .unsupported
                ? .unsupported : .mayFail
        }
        return Self.conversion(from.base, to.base, scales)
    }

    private func isSameDeclaration(_ before: TypeExpression, _ after: TypeExpression) -> Bool {
        guard case .named(let first) = before, case .named(let second) = after else { return false }
        return names[first] == second
    }

    private static func conversion(
        _ from: BaseType, _ to: BaseType, _ scales: (old: Int?, new: Int?)
    ) -> ValueConversion {
        if from == .decimal, to == .decimal {
            guard let limit = scales.new else { return .always }
            return scales.old.map { $0 <= limit } ?? false ? .always : .mayFail
        }
        if from == to { return .always }
        // The bytes are not where the other type has its values.
        if from == .externalData || to == .externalData { return .unsupported }
        if to == .string { return .always }
        if from == .string {
            return to == .data ? .unsupported : .mayFail
        }
        guard from.stored.kind.isNumber, to.stored.kind.isNumber else { return .unsupported }
        let bits = from.stored.integers.map { 64 - $0.upperBound.leadingZeroBitCount }
        switch to {
        case .decimal: return bits == nil ? .mayFail : .always
        // Other numbers become the nearest one.
        case .double: return (bits ?? 32) <= 32 ? .always : .mayFail
        case .float: return (bits ?? 64) <= 16 ? .always : .mayFail
        default:
            return to.stored == from.stored || to.stored.widens(from.stored) ? .always : .mayFail
        }
    }
}

extension TypeExpression {
    /// Whether the type is a map.
    fileprivate var isMap: Bool {
        if case .map = self { return true }
        return false
    }
}
