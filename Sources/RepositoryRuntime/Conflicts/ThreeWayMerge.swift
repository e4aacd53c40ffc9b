/// What becomes of a record that two have changed since it was read, field by field.
struct ThreeWayMerge {
    /// What is to be stored.
    private(set) var merged: [StoredValue] = []
    /// The paths of the fields that cannot be reconciled.
    private(set) var conflicts: [String] = []
    /// Whether this is not what is stored already, stamps aside.
    private(set) var changesStored = false

    /// Merges three forms of a record.
    ///
    /// - Parameters:
    ///   - original: the record as it was read.
    ///   - ours: what was made of it, as it would be stored now.
    ///   - later: the same as it would be stored at another moment: where they differ, there is a stamp.
    ///   - stored: the record as it is stored.
    ///   - version: the field that is the version, which stays as it is stored.
    init(
        _ original: [StoredValue], _ ours: [StoredValue], later: [StoredValue],
        _ stored: [StoredValue], layout: FieldLayout, version: Int?
    ) {
        for (index, field) in layout.fields.enumerated() {
            merged.append(
                index == version
                    ? stored[index]
                    : merge(
                        original[index], ours[index], later[index], stored[index], field,
                        path: field.name))
        }
    }

    private mutating func merge(
        _ original: StoredValue, _ ours: StoredValue, _ later: StoredValue,
        _ stored: StoredValue, _ field: FieldDescription, path: String
    ) -> StoredValue {
        if case .object(let layout) = field.type, case .object(let original) = original,
            case .object(let ours) = ours, case .object(let stored) = stored
        {
            let later = if case .object(let fields) = later { fields } else { ours }
            var fields = stored
            for inner in layout.fields {
                let name = inner.name
                let value = merge(
                    original[name] ?? .null, ours[name] ?? .null, later[name] ?? .null,
                    stored[name] ?? .null, inner, path: "\(path).\(name)")
                fields[name] = value == .null ? nil : value
            }
            return .object(fields)
        }
        if ours == stored { return ours }
        // Stamps within lists make a difference too, but what stands beside them there must not be lost.
        if case .date = field.type, ours != later { return ours }
        if ours == original { return stored }
        changesStored = true
        if stored != original { conflicts.append(path) }
        return ours
    }
}
