/// Converts one value to a ``StoredValue``, without the array that ``StoredFields`` allocates.
struct SingleValueEncoder: StoredValueCollector {
    /// The value encoded last.
    private(set) var value = StoredValue.null

    func wants(_ index: Int) -> Bool { true }

    mutating func set(_ value: StoredValue, at index: Int) { self.value = value }
}
