/// A literal in a schema, before its field's type determines its value.
public indirect enum Literal: Sendable, Hashable {
    /// The text of a scalar, without quotes. `isPlain` is false if it is quoted in YAML.
    case scalar(String, isPlain: Bool)
    /// A sequence.
    case list([Located<Literal>])
    /// A mapping, in source order.
    case map([MapEntry])

    /// One entry of a mapping.
    public struct MapEntry: Sendable, Hashable {
        /// The key.
        public var key: Located<String>
        /// The value.
        public var value: Located<Literal>

        /// Creates an entry.
        public init(key: Located<String>, value: Located<Literal>) {
            self.key = key
            self.value = value
        }
    }
}
