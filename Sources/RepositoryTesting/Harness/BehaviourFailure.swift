/// A violation of a behaviour by a store: the expected and the actual result, and the line of the
/// suite that compared them.
public struct BehaviourFailure: Error, Sendable {
    /// The behaviour's name, such as `versions.staleUpdate`.
    public var behaviour: String
    /// The description of the behaviour.
    public var sentence: String
    /// The kind of store.
    public var store: String
    /// The problem, as a sentence.
    public var message: String
    /// The result that the contract requires.
    public var expected: String?
    /// The result of the store.
    public var actual: String?
    /// The file of the suite that detected the violation, in the format of `#fileID`.
    public var fileID: String
    /// The line of the suite that detected the violation.
    public var line: Int
}

extension BehaviourFailure: CustomStringConvertible {
    /// The store, the behaviour, the expected and actual results, and the location.
    public var description: String {
        var text = "\(store): \(behaviour): \(sentence)\n  \(message)"
        if let expected { text += "\n  expected: \(expected)" }
        if let actual { text += "\n  actual:   \(actual)" }
        return text + "\n  at \(fileID):\(line)"
    }
}

/// A failed expectation. ``BehaviourDescription/run(on:_:)`` adds the behaviour to it.
struct ExpectationFailure: Error {
    var message: String
    var expected: String?
    var actual: String?
    var fileID: String
    var line: Int

    /// The failure of a behaviour on a store.
    func failure(of behaviour: String, _ sentence: String, store: String) -> BehaviourFailure {
        BehaviourFailure(
            behaviour: behaviour, sentence: sentence, store: store, message: message,
            expected: expected, actual: actual, fileID: fileID, line: line)
    }
}
