/// Records whose number is not known before the last one is read.
///
/// An array of a type that is only known at run time looks up its own type again with each element
/// that it appends, which takes a sixth of the time of a small record. The first records lie in a
/// buffer of their own instead; many more are appended to an array, which grows without a second
/// copy of them all.
struct RecordBuffer<E> {
    /// The number of records after which an array takes all.
    private static var most: Int { 128 }

    private var start: UnsafeMutablePointer<E>
    private var capacity: Int
    private var count = 0
    /// All records, once there are many.
    private var many: [E]?

    /// Creates an empty buffer, which must be freed.
    init() {
        capacity = 16
        start = .allocate(capacity: capacity)
    }

    /// Adds a record at the end.
    @inline(__always)
    mutating func append(_ record: consuming E) {
        if count == capacity { grow() }
        if many == nil {
            (start + count).initialize(to: record)
            count += 1
        } else {
            many?.append(record)
        }
    }

    /// Makes place for a record, in the buffer or in an array.
    private mutating func grow() {
        guard capacity < Self.most else {
            many = array(capacity: capacity * 2)
            return
        }
        let larger = UnsafeMutablePointer<E>.allocate(capacity: Self.most)
        larger.moveInitialize(from: start, count: count)
        start.deallocate()
        start = larger
        capacity = Self.most
    }

    /// Moves the records of the buffer to an array.
    private mutating func array(capacity: Int) -> [E] {
        let (start, count) = (start, count)
        self.count = 0
        return Array(unsafeUninitializedCapacity: capacity) { elements, initialized in
            elements.baseAddress?.moveInitialize(from: start, count: count)
            initialized = count
        }
    }

    /// Takes the records out as an array.
    mutating func array() -> [E] { many.take() ?? array(capacity: count) }

    /// Frees the memory, with the records that are left. The buffer must not be used afterwards.
    mutating func free() {
        start.deinitialize(count: count)
        start.deallocate()
        count = 0
    }
}
