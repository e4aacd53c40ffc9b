internal import Foundation
package import StoredSchema

extension StoredConstant {
    /// Describes a constant of a schema.
    package init(_ value: StoredValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case .decimal(let value): self = .decimal(value.description)
        case .date(let value): self = .date(StoredDate.microseconds(value))
        case .uuid(let value): self = .uuid(value.uuidString)
        case .text(let value): self = .text(value)
        case .data(let value): self = .data(value.base64EncodedString())
        case .list(let values): self = .list(values.map(StoredConstant.init))
        case .object(let values): self = .object(values.mapValues(StoredConstant.init))
        }
    }
}

extension StoredValue {
    /// The value of a described constant.
    ///
    /// Decoding a description has checked the texts of decimals, UUIDs and data. A text that is not
    /// valid nevertheless gives null.
    package init(_ constant: StoredConstant) {
        switch constant {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case .decimal(let text):
            self = StoredDecimal.value(ofText: text).map(StoredValue.decimal) ?? .null
        case .date(let value): self = .date(StoredDate.date(microseconds: value))
        case .uuid(let text): self = UUID(uuidString: text).map(StoredValue.uuid) ?? .null
        case .text(let value): self = .text(value)
        case .data(let text): self = Data(base64Encoded: text).map(StoredValue.data) ?? .null
        case .list(let values): self = .list(values.map(StoredValue.init))
        case .object(let values): self = .object(values.mapValues(StoredValue.init))
        }
    }
}

extension StoredCondition {
    /// Describes a condition on the fields of a layout.
    init(_ tree: ConditionTree, in layout: FieldLayout) {
        switch tree {
        case .constant(let value): self = .constant(value)
        case .compare(let path, let comparison, let value):
            self = .compare(Path(path, layout), comparison.rawValue, StoredConstant(value))
        case .isIn(let path, let values):
            self = .isIn(Path(path, layout), values.sorted().map(StoredConstant.init))
        case .text(let path, let search):
            let name = search.kind.rawValue + (search.ignoringCase ? "IgnoringCase" : "")
            self = .text(name, Path(path, layout), search.text)
        case .hasElement(let path, let element):
            self = .hasElement(Path(path, layout), StoredConstant(element))
        case .all(let trees): self = .all(trees.map { StoredCondition($0, in: layout) })
        case .any(let trees): self = .any(trees.map { StoredCondition($0, in: layout) })
        case .not(let tree): self = .not(StoredCondition(tree, in: layout))
        case .compareFields: self = .invalid("It compares two fields.")
        case .related: self = .invalid("It asks for records of another entity.")
        case .invalid(let reason): self = .invalid(reason)
        }
    }
}

extension StoredCondition.Path {
    /// Describes the path of a field in a layout.
    fileprivate init(_ path: FieldPath, _ layout: FieldLayout) {
        let field = path.field
        self.init(
            layout.fields.indices.contains(field) ? layout.fields[field].name : "?", path.names,
            ignoresCase: path.ignoresCase)
    }
}
