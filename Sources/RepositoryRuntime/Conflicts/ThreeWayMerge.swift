/// Merges the changes that two writers made to a record since one of them read it, field by field.
///
/// The fields of embedded values are merged recursively. Lists and maps are merged as a whole.
struct ThreeWayMerge {
    /// The merged field values, by field index.
    private(set) var merged: [StoredValue] = []
    /// The paths of the fields that both sides changed to different values.
    private(set) var conflicts: [String] = []
    /// Whether `merged` differs from the stored record in more than timestamps.
    private(set) var changesStored = false

    /// Merges three versions of a record.
    ///
    /// - Parameters:
    ///   - original: the record as it was read.
    ///   - ours: the changed record, prepared for storing now.
    ///   - later: the changed record, prepared for storing at another time. A date that differs
    /// from `ours` is a timestamp of the save.
    ///   - stored: the record as it is stored now.
    ///   - version: the index of the version field, which keeps its stored value.
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

    /// Merges one field, and records a conflict. The fields of embedded values are merged
    /// recursively.
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
        // Only plain dates are recognised as timestamps. A list that contains one is compared as a
        // whole, so that no other element is lost.
        if case .date = field.type, ours != later { return ours }
        if ours == original { return stored }
        changesStored = true
        if stored != original { conflicts.append(path) }
        return ours
    }
}
