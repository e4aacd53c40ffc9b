/// A record with sensitive fields and a field named `customMirror`. Its mirror is implemented here.
public protocol SensitiveRecord: MappedRecord, CustomReflectable {}

extension SensitiveRecord {
    /// A mirror in which sensitive fields appear as `•••`.
    public var customMirror: Mirror { EntityDescription.mirror(self) }
}

/// The descriptions and mirrors of entities with sensitive fields. They replace the ones that Swift
/// derives.
public enum EntityDescription {
    /// The entity's name and fields, with sensitive fields as `•••`.
    public static func description<R: MappedRecord>(of record: R) -> String {
        let fields = children(of: record).map { "\($0.label ?? ""): \($0.value)" }
        return "\(R.Mapper.layout.name)(\(fields.joined(separator: ", ")))"
    }

    /// A mirror of the entity, with sensitive fields as `•••`.
    public static func mirror<R: MappedRecord>(_ record: R) -> Mirror {
        Mirror(record, children: children(of: record), displayStyle: .struct)
    }

    /// The fields as mirror children. Values of sensitive fields are replaced at any depth.
    private static func children<R: MappedRecord>(of record: R) -> [Mirror.Child] {
        let layout = R.Mapper.layout
        guard let values = try? StoredValueEncoder.values(of: record, R.Mapper.self) else {
            // A record that cannot be encoded is described by its name alone. A description cannot
            // throw.
            return []
        }
        return zip(layout.fields, values).map { field, value in
            let shown = visible(value, field.type)
            return (label: field.name, value: field.isSensitive ? hidden : "\(shown)")
        }
    }

    private static let hidden = "•••"

    /// The value with the sensitive fields of embedded records replaced, at any depth.
    private static func visible(_ value: StoredValue, _ type: StoredType) -> StoredValue {
        switch (type, value) {
        case (.object(let layout), .object(let values)):
            let shown = layout.fields.compactMap { field in
                values[field.name].map {
                    (field.name, field.isSensitive ? .text(hidden) : visible($0, field.type))
                }
            }
            return .object(Dictionary(shown, uniquingKeysWith: { $1 }))
        case (.list(let element, _), .list(let values)):
            return .list(values.map { visible($0, element) })
        case (.map(let element, _), .object(let values)):
            return .object(values.mapValues { visible($0, element) })
        default: return value
        }
    }
}
