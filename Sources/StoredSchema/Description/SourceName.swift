/// A name of the key `from` of schemas: what a declaration is taken from in the files of another
/// database.
///
/// ```
/// Person               a class
/// Person.fullName      a property of a class
/// Person#key           the key of an object
/// Person.pets#owner    of a list of links: the object that has it, the object that an element
/// Person.pets#target   links to, and the number of the element; of a dictionary, its key
/// Person#entity        the entity of an object, which inherits from the class
/// ```
package struct SourceName: Sendable, Hashable {
    /// A part of an object or of an element of a list that is no property.
    package enum Part: String, Sendable, CaseIterable {
        case key, owner, target, position, entry, entity
    }

    /// The name of the class.
    package let type: String
    /// The name of the property.
    package let property: String?
    /// The text behind `#`.
    package let partText: String?

    /// The part behind `#`; `nil` if there is none or it is unknown.
    package var part: Part? { partText.flatMap(Part.init) }

    /// Reads a name; nil if a part of it is empty.
    package init?(_ text: String) {
        let halves = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let names = halves[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard (halves + names).allSatisfy({ !$0.isEmpty }) else { return nil }
        type = String(names[0])
        property = names.count > 1 ? String(names[1]) : nil
        partText = halves.count > 1 ? String(halves[1]) : nil
    }
}
