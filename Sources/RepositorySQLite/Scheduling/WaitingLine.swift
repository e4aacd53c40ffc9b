/// A first-in, first-out queue.
///
/// Removing the first element takes amortized constant time, whereas an array moves all remaining
/// elements.
struct WaitingLine<Element> {
    /// The elements. Those before ``head`` are `nil`.
    private var elements: [Element?] = []
    /// The number of elements at the front that were already removed.
    private var head = 0

    /// Creates an empty queue.
    init() {}

    /// Appends an element.
    mutating func append(_ element: Element) { elements.append(element) }

    /// The number of elements in the queue.
    var count: Int { elements.count - head }

    /// Returns the first elements in order, without removing them.
    func prefix(_ count: Int) -> [Element] { elements[head...].prefix(count).compactMap(\.self) }

    /// Removes and returns the first element; `nil` if the queue is empty.
    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        // The queue must not retain a removed element.
        defer {
            elements[head] = nil
            head += 1
            // Each element is moved at most once on average: the front half is empty by then.
            if head * 2 > elements.count {
                elements.removeFirst(head)
                head = 0
            }
        }
        return elements[head]
    }
}
