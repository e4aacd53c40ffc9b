internal import StoredSchema

/// The path of a value in a record: a field, and the names of members of embedded values and keys
/// of maps inside it.
public struct FieldPath: Sendable, Hashable {
    /// The field's index in the layout of the entity.
    public let field: Int
    /// The names inside the field, outermost first; empty for the field itself.
    public let names: [String]
    /// Whether strings at this path are case-folded, because the field is declared to ignore case.
    package var ignoresCase = false

    /// Creates a path.
    public init(_ field: Int, _ names: [String] = []) {
        self.field = field
        self.names = names
    }

    /// Creates the path that a table's description spells with points, such as `shelf.room`; nil if
    /// there is none.
    init?(_ text: String, in layout: FieldLayout) {
        if let field = layout.indexByKey[text] {
            self.init(field)
            return
        }
        let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.count > 1, let field = layout.indexByKey[names[0]] else { return nil }
        self.init(field, Array(names.dropFirst()))
        guard type(in: layout) != nil else { return nil }
    }

    /// Returns the value at this path; null if an embedded value or a key on the path is missing.
    ///
    /// - Parameter record: the field values of the record, by field index.
    public func value(in record: [StoredValue]) -> StoredValue {
        guard record.indices.contains(field) else { return .null }
        var value = record[field]
        for name in names {
            // Dictionaries compare keys by canonical equivalence. Names are compared by their
            // bytes.
            guard case .object(let object) = value, let place = object.index(forKey: name),
                String.isSameIdentifier(object[place].key, name)
            else { return .null }
            value = object[place].value
        }
        return ignoresCase ? value.caseFolded : value
    }

    /// The path as a condition in a schema writes it: `shelf.room`. Below a sensitive field nothing is shown, because the
    /// keys of a map are values too.
    ///
    /// - Parameter layout: the layout of the entity.
    public func text(in layout: FieldLayout) -> String {
        guard layout.fields.indices.contains(field), layout.fields[field].isSensitive else {
            return wholeText(in: layout)
        }
        return layout.fields[field].name
    }

    /// The whole path, for what is compared and never shown.
    func wholeText(in layout: FieldLayout) -> String {
        let name = layout.fields.indices.contains(field) ? layout.fields[field].name : "?"
        return ([name] + names).joined(separator: ".")
    }
}

extension FieldPath {
    /// Whether a record can hold a value of this kind here; null where the field is optional, or lies in an embedded value
    /// or a map.
    ///
    /// - Parameter layout: the layout of the entity.
    func canHold(_ value: StoredValue, in layout: FieldLayout) -> Bool {
        guard layout.fields.indices.contains(field) else { return false }
        if value == .null { return layout.fields[field].isOptional || !names.isEmpty }
        return type(in: layout).map(value.isOf) ?? false
    }

    /// Returns the type of the values at this path; nil if records of the layout have no such path.
    func type(in layout: FieldLayout) -> StoredType? {
        guard layout.fields.indices.contains(field) else { return nil }
        var type = layout.fields[field].type
        for name in names {
            switch type {
            case .object(let inner), .composite(let inner):
                guard let field = inner.fields.first(where: { $0.name == name }) else {
                    return nil
                }
                type = field.type
            case .map(let element, _): type = element
            default: return nil
            }
        }
        return type
    }
}

extension StoredValue {
    /// Whether the value is of the kind of a type, and an integer in its range.
    fileprivate func isOf(_ type: StoredType) -> Bool {
        switch (self, type.structure) {
        case (.integer(let value), .single(let base, _)): base.integers?.contains(value) ?? false
        case (_, .single(let base, _)): kind == base.kind
        case (.list, .list), (.object, .composite), (.object, .object), (.object, .map): true
        default: false
        }
    }
}

extension FieldPath {
    /// Whether both paths lead to the same value. Case folding is ignored.
    public static func == (left: Self, right: Self) -> Bool {
        left.field == right.field && left.names == right.names
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(field)
        hasher.combine(names)
    }
}

extension FieldPath: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The index of the field, `$3`, and a dot for each name below it: names may be keys of a map, which are values.
    public var description: String {
        "$\(field)" + String(repeating: ".?", count: names.count)
    }
    /// The path without its names.
    public var debugDescription: String { description }
    /// A mirror without the names.
    public var customMirror: Mirror { Mirror(hiding: self) }
}
