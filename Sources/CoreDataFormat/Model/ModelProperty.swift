internal import Foundation

/// A property of an entity.
package struct ModelProperty: Sendable {
    /// What kind of property it is.
    package enum Kind: String, Sendable {
        case attribute
        /// An attribute that Core Data computes; it has a column.
        case derived
        /// An attribute of several columns: a structure or enumeration of SwiftData.
        case composite
        case relationship
        /// A query; nothing is stored.
        case fetched
        /// A computed column of a query; nothing is stored.
        case expression
    }

    /// What happens to the other side when an object is deleted.
    package enum DeleteRule: Int, Sendable {
        case noAction, nullify, cascade, deny
    }

    /// A validation rule: the text of a predicate, and its parts if it is a simple comparison.
    package struct Rule: Sendable {
        package let text: String
        /// The left side, the operator and the constant of a comparison.
        package let comparison: (left: String, operation: String, constant: PlainValue)?
    }

    /// The name.
    package let name: String
    /// What kind of property it is.
    package let kind: Kind
    /// Whether it may be null; old objects may be null even so.
    package var isOptional = false
    /// Whether nothing is stored.
    package var isTransient = false
    /// Whether the entity declares it itself.
    package internal(set) var isOwn = true
    /// The name in an earlier version; `nil` if it is the same.
    package var renamedFrom: String?
    /// The strings that the app added to the model.
    package var userInfo: PlainValue?

    /// The type of an attribute.
    package var type = AttributeType.undefined
    /// Whether the data may be in a file of its own.
    package var isExternal = false
    /// The default value; `nil` for none, or for an object of a class of the app.
    package var defaultValue: PlainValue?
    /// The class of a default value that is of the app.
    package var defaultClass: String?
    /// The class of the values, such as `NSNumber` or `Array<String>`.
    package var valueClass: String?
    /// The transformer of a transformable.
    package var transformer: String?
    /// The expression of a derived attribute.
    package var derivation: String?
    /// The validation rules.
    package var rules: [Rule] = []
    /// The elements of a composite, in their order.
    package var elements: [ModelProperty] = []

    /// The entity at the other end of a relationship.
    package var destination: String?
    /// The relationship of the other end.
    package var inverse: String?
    /// The minimum number of objects, for validation only.
    package var minimumCount = 0
    /// The maximum number of objects; 1 for a relationship to one.
    package var maximumCount = 0
    /// What happens to the other side when an object is deleted.
    package var deleteRule = DeleteRule.nullify
    /// Whether the objects of a relationship have an order.
    package var isOrdered = false

    init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }

    /// Whether it is a relationship to at most one object.
    package var isToOne: Bool { kind == .relationship && maximumCount == 1 }
    /// Whether it is a relationship to many objects.
    package var isToMany: Bool { kind == .relationship && maximumCount != 1 }
    /// Whether it is an attribute with columns.
    package var isStoredAttribute: Bool {
        switch kind {
        case .attribute, .derived, .composite: !isTransient && type != .undefined
        case .relationship, .fetched, .expression: false
        }
    }
    /// Whether it is an enumeration of SwiftData.
    package var isEnumeration: Bool {
        guard kind == .composite else { return false }
        switch userInfo?["EnumType"] {
        case .bool(let value): return value
        case .integer(let value): return value != 0
        case .string(let text): return !text.isEmpty
        default: return false
        }
    }
    /// Whether it is an enumeration with raw values: its only element has its name.
    package var hasRawValues: Bool {
        isEnumeration && elements.count == 1 && elements[0].name == name
            && userInfo?["enum"] == nil
    }
    /// The names of the cases of an enumeration without raw values.
    package var caseNames: [String]? {
        guard isEnumeration, !hasRawValues else { return nil }
        return elements.map(\.name)
    }
}
