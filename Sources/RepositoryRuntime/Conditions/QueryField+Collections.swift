extension QueryField {
    /// Whether the list holds an element; `nil` stands for a null one.
    public func contains<Element: FieldValue>(_ element: Element) -> Condition
    where Value == [Element] {
        condition(element) { .hasElement(queryPath, $0) }
    }

    /// Whether the list holds an element; false where there is no list.
    public func contains<Element: FieldValue>(_ element: Element) -> Condition
    where Value == [Element]? {
        condition(element) { .hasElement(queryPath, $0) }
    }
}
