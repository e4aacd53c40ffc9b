/// What waits, in the order of its coming. To take the first costs the same however many wait; an array moves the rest up.
struct WaitingLine<Element> {
    private var elements: [Element?] = []
    /// Those before it were taken.
    private var head = 0

    /// Makes an empty line.
    init() {}

    /// Adds an element at the end.
    mutating func append(_ element: Element) { elements.append(element) }

    /// Takes the first element; nil where none waits.
    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        // What was taken must not live on in the line.
        defer {
            elements[head] = nil
            head += 1
            // Each element is moved once at most: half of them have gone before.
            if head * 2 > elements.count {
                elements.removeFirst(head)
                head = 0
            }
        }
        return elements[head]
    }
}
