/// What reads bytes that anybody may have written, as a function that a fuzzer calls.
public struct FuzzTarget: Sendable {
    /// By which name `make fuzz` knows it; its corpus lies in a folder of the same name.
    public let name: String
    /// Reads the bytes and returns what is wrong with that as a sentence, nil where nothing is. It ends in time that
    /// grows with the number of bytes, and never in a crash.
    public let flaw: @Sendable (_ bytes: [UInt8]) -> String?

    init(_ name: String, _ flaw: @escaping @Sendable ([UInt8]) -> String?) {
        self.name = name
        self.flaw = flaw
    }

    /// All of them.
    public static let all = formats + stored + [coreDataModel, realm, schema, text]
}
