/// Takes one value apart: what ``StoredFields`` does for a record, without a list to hold it.
struct SingleValueEncoder: StoredValueCollector {
    /// The value written last.
    private(set) var value = StoredValue.null

    func wants(_ index: Int) -> Bool { true }

    mutating func set(_ value: StoredValue, at index: Int) { self.value = value }
}
