/// The earlier names of a table, field or member, newest first.
///
/// They are part of a description in memory, so that two descriptions can be compared without the
/// program that declares them. They do not affect stored data: they are not part of its JSON or its
/// fingerprint, and any two values are equal, so that descriptions with different earlier names are
/// equal.
package struct EarlierNames: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// The names.
    package var names: [String]

    /// Creates a list of names, newest first.
    package init(_ names: [String] = []) { self.names = names }

    /// Creates a list of names, newest first.
    package init(arrayLiteral elements: String...) { names = elements }

    /// Always true.
    package static func == (left: EarlierNames, right: EarlierNames) -> Bool { true }

    /// Hashes nothing.
    package func hash(into hasher: inout Hasher) {}
}
