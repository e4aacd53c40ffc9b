package import RepositorySchema

/// A schema set in the normal form of version files.
///
/// The normal form contains what matters to stored data and to the types that are generated for old
/// versions. Mixins are expanded; tables, columns, names of indexes and raw values are spelt out;
/// literals and conditions are canonical. It does not contain documentation, deprecation, queries,
/// relations, conformances and settings, apart from the decisions of the settings. Types, indexes and checks are sorted by the UTF-8 bytes of
/// their names; fields and cases keep their order.
///
/// The schema that is read from ``text`` has the same normal form.
package struct NormalizedSchema: Sendable {
    /// The declarations, sorted by the UTF-8 bytes of their names.
    package internal(set) var declarations: [NormalizedDeclaration]
    /// The decisions of the settings.
    var decisions = NormalizedDecisions()

    /// Normalises a set. The cost is linear in its size.
    ///
    /// - Parameter set: A schema without errors.
    package init(_ set: SchemaSet) {
        let normalizer = SchemaNormalizer(SchemaScope(set))
        decisions = NormalizedDecisions(set.settings)
        declarations = normalizer.scope.set.declarations
            .compactMap { normalizer.declaration($0) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}

/// A declaration in normal form.
package struct NormalizedDeclaration: Sendable {
    /// The first key of its document: `entity`.
    var kind: String
    /// The name of the type.
    var name: String
    /// The other keys with one value, in the order of the file: `table: books`.
    var keys: [NormalizedKey] = []
    /// The id, fields, indexes, checks and cases, in the order of the file.
    var parts: [NormalizedPart] = []
    /// The place of the name.
    var range: SourceRange
    /// The decisions about its data.
    var decisions = NormalizedDecisions()

    /// The values of `renamedFrom`.
    var earlierNames: [String] { decisions.renamedFrom }

    /// The value of a key as YAML; nil if the declaration does not have it.
    subscript(key: String) -> String? { keys.first { $0.name == key }?.value }
}

/// A key and its value.
struct NormalizedKey: Sendable {
    /// The key.
    var name: String
    /// The value as YAML.
    var value: String
}

/// A part of a declaration that has keys of its own.
struct NormalizedPart: Sendable {
    /// The key of the declaration under which the part is listed.
    enum Section: String, Sendable {
        /// The id of an entity.
        case id
        /// A field of an entity or a value.
        case fields
        /// An index of an entity.
        case indexes
        /// A check of an entity.
        case checks
        /// A case of an enum.
        case enumCases
        /// A case of a union, without its fields.
        case unionCases
        /// A field of a case of a union. It follows its case.
        case caseFields
    }

    /// The kind of part.
    var section: Section
    /// The name; of a field of a case, that of the field.
    var name: String
    /// The case of a union that the field belongs to.
    var owner: String?
    /// The keys, in the order of the file.
    var keys: [NormalizedKey]
    /// The place of the name.
    var range: SourceRange
    /// The decisions about its data.
    var decisions = NormalizedDecisions()

    /// The values of `renamedFrom`.
    var earlierNames: [String] { decisions.renamedFrom }

    /// The value of a key as YAML; nil if the part does not have it.
    subscript(key: String) -> String? { keys.first { $0.name == key }?.value }
}
