/// A literal as it was written, before a type gives it a meaning.
public indirect enum Literal: Sendable, Hashable {
    /// A scalar's text, unquoted. `isPlain` is false when it was quoted in YAML.
    case scalar(String, isPlain: Bool)
    /// A sequence.
    case list([Located<Literal>])
    /// A mapping, in the order written.
    case map([MapEntry])

    /// One entry of a mapping.
    public struct MapEntry: Sendable, Hashable {
        /// The key.
        public var key: Located<String>
        /// The value.
        public var value: Located<Literal>

        /// Makes an entry.
        public init(key: Located<String>, value: Located<Literal>) {
            self.key = key
            self.value = value
        }
    }
}
