package import StoredSchema

extension StoredType {
    /// A stored type with its base type, if it is the type of a single value.
    package enum Structure: Sendable {
        /// A single value; the scale is that of a decimal.
        case single(StoredBaseType, scale: Int?)
        /// A reference to an entity with a composite id.
        case composite(FieldLayout)
        /// An embedded record.
        case object(FieldLayout)
        /// A list.
        case list(StoredType, optionalElements: Bool)
        /// A map with string keys.
        case map(StoredType, optionalElements: Bool)
    }

    /// The structure of the type. Code that depends on facts about base types uses it instead of
    /// enumerating them.
    package var structure: Structure {
        switch self {
        case .bool: .single(.bool, scale: nil)
        case .int8: .single(.int8, scale: nil)
        case .int16: .single(.int16, scale: nil)
        case .int32: .single(.int32, scale: nil)
        case .int64: .single(.int64, scale: nil)
        case .uint8: .single(.uint8, scale: nil)
        case .uint16: .single(.uint16, scale: nil)
        case .uint32: .single(.uint32, scale: nil)
        case .float: .single(.float, scale: nil)
        case .double: .single(.double, scale: nil)
        case .decimal(let scale): .single(.decimal, scale: scale)
        case .date: .single(.date, scale: nil)
        case .text: .single(.text, scale: nil)
        case .url: .single(.url, scale: nil)
        case .uuid: .single(.uuid, scale: nil)
        case .data: .single(.data, scale: nil)
        case .localDate: .single(.localDate, scale: nil)
        case .externalData: .single(.externalData, scale: nil)
        case .composite(let layout): .composite(layout)
        case .object(let layout): .object(layout)
        case .list(let element, let optional): .list(element, optionalElements: optional)
        case .map(let element, let optional): .map(element, optionalElements: optional)
        }
    }

    /// The base type of a single value; nil for other types.
    package var base: StoredBaseType? {
        if case .single(let base, _) = structure { return base }
        return nil
    }

    /// Creates the type of a single value.
    ///
    /// - Parameter scale: the number of fraction digits of a decimal; nil if it is not fixed.
    package init(_ base: StoredBaseType, scale: Int? = nil) {
        switch base {
        case .bool: self = .bool
        case .int8: self = .int8
        case .int16: self = .int16
        case .int32: self = .int32
        case .int64: self = .int64
        case .uint8: self = .uint8
        case .uint16: self = .uint16
        case .uint32: self = .uint32
        case .float: self = .float
        case .double: self = .double
        case .decimal: self = .decimal(scale: scale)
        case .date: self = .date
        case .text: self = .text
        case .url: self = .url
        case .uuid: self = .uuid
        case .data: self = .data
        case .localDate: self = .localDate
        case .externalData: self = .externalData
        }
    }
}

extension StoredValue {
    /// The kind of a single value; nil for null, lists and objects.
    package var kind: StoredBaseType.Kind? {
        switch self {
        case .bool: .bool
        case .integer: .integer
        case .double: .double
        case .decimal: .decimal
        case .date: .date
        case .uuid: .uuid
        case .text: .text
        case .data: .data
        case .null, .list, .object: nil
        }
    }
}
