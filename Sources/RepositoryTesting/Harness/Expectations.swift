internal import RepositoryRuntime

/// Throws ``ExpectationFailure`` unless a condition is true.
func expect(
    _ condition: Bool, _ message: String, fileID: String = #fileID, line: Int = #line
) throws {
    guard !condition else { return }
    throw ExpectationFailure(message: message, fileID: fileID, line: line)
}

/// Throws ``ExpectationFailure`` unless two values are equal.
func expect<T: Equatable>(
    _ actual: T, is expected: T, _ message: String = "The result differs.",
    fileID: String = #fileID, line: Int = #line
) throws {
    guard actual != expected else { return }
    throw ExpectationFailure(
        message: message, expected: shortened(expected), actual: shortened(actual), fileID: fileID,
        line: line)
}

/// Throws ``ExpectationFailure`` unless two strings have the same UTF-8 bytes. `==` compares by
/// canonical equivalence.
func expect(
    _ actual: String, is expected: String, _ message: String = "The text differs.",
    fileID: String = #fileID, line: Int = #line
) throws {
    guard !actual.utf8.elementsEqual(expected.utf8) else { return }
    throw ExpectationFailure(
        message: message, expected: shortened(expected.debugDescription),
        actual: shortened(actual.debugDescription), fileID: fileID, line: line)
}

/// Throws ``ExpectationFailure`` unless two entities are equal in every field. Strings are compared
/// by their bytes.
func expect<E: Entity>(
    _ actual: E, is expected: E, _ message: String = "The entity differs",
    fileID: String = #fileID, line: Int = #line
) throws {
    let left = try StoredValueEncoder.values(of: actual, E.Mapper.self)
    let right = try StoredValueEncoder.values(of: expected, E.Mapper.self)
    guard left != right else { return }
    let different = E.Mapper.layout.fields.indices.filter { left[$0] != right[$0] }
    let names = different.map { E.Mapper.layout.fields[$0].name }.joined(separator: ", ")
    throw ExpectationFailure(
        message: "\(message) in: \(names).", expected: shortened(different.map { right[$0] }),
        actual: shortened(different.map { left[$0] }), fileID: fileID, line: line)
}

/// Throws ``ExpectationFailure`` unless two lists contain the same entities in the same order.
func expect<E: Entity>(
    _ actual: [E], is expected: [E], _ message: String = "The list differs.",
    fileID: String = #fileID, line: Int = #line
) throws {
    try expect(actual.map(\.id), is: expected.map(\.id), message, fileID: fileID, line: line)
    for (actual, expected) in zip(actual, expected) {
        try expect(actual, is: expected, fileID: fileID, line: line)
    }
}

/// The description of a value, shortened for a message.
private func shortened(_ value: some Any) -> String {
    let text = "\(value)"
    return text.count <= 600 ? text : "\(text.prefix(600))… (\(text.count) characters)"
}
