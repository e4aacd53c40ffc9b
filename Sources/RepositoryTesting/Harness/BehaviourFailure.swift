/// A behaviour that a store does not have: what was expected, what came, and the line of the suite that saw it.
public struct BehaviourFailure: Error, Sendable {
    /// The behaviour's name, such as `versions.staleUpdate`.
    public var behaviour: String
    /// The behaviour as a sentence.
    public var sentence: String
    /// The kind of store.
    public var store: String
    /// What was looked at.
    public var message: String
    /// What the contract asks for.
    public var expected: String?
    /// What the store did.
    public var actual: String?
    /// The file of the suite that saw it, as `#fileID` gives it.
    public var fileID: String
    /// The line of the suite that saw it.
    public var line: Int
}

extension BehaviourFailure: CustomStringConvertible {
    /// The store, the behaviour, what was expected, what came, and where.
    public var description: String {
        var text = "\(store): \(behaviour): \(sentence)\n  \(message)"
        if let expected { text += "\n  expected: \(expected)" }
        if let actual { text += "\n  actual:   \(actual)" }
        return text + "\n  at \(fileID):\(line)"
    }
}

/// What a check throws before it is known which behaviour it is part of.
struct ExpectationFailure: Error {
    var message: String
    var expected: String?
    var actual: String?
    var fileID: String
    var line: Int

    func failure(of behaviour: String, _ sentence: String, store: String) -> BehaviourFailure {
        BehaviourFailure(
            behaviour: behaviour, sentence: sentence, store: store, message: message,
            expected: expected, actual: actual, fileID: fileID, line: line)
    }
}
