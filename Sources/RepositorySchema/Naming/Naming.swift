/// The names that the generator derives from the declared ones: one set of rules for all its stages.
///
/// The rules are frozen with the schema language: a changed rule would rename the columns and tables
/// of every database that exists.
public enum Naming {
    /// The plural of an English noun by rule, without irregular forms: …s, x, z, ch, sh → es;
    /// consonant + y → ies; otherwise s. The case of the noun's letters is kept.
    public static func plural(_ noun: String) -> String {
        let lower = noun.lowercased()
        if ["s", "x", "z", "ch", "sh"].contains(where: lower.hasSuffix) { return noun + "es" }
        if lower.hasSuffix("y"), let before = lower.dropLast().last,
            before.isLetter, !"aeiou".contains(before)
        {
            return noun.dropLast() + "ies"
        }
        return noun + "s"
    }

    /// The table of an entity that names none: `Book` → `books`, `PlaylistTrack` → `playlist_tracks`.
    public static func tableName(for entity: String) -> String {
        plural(snakeCase(entity))
    }

    /// The property of the set's type that holds an entity's repository: `PlaylistTrack` →
    /// `playlistTracks`, `URLRule` → `urlRules`.
    public static func repositoryPropertyName(for entity: String) -> String {
        plural(lowerCamelCase(entity))
    }

    /// The name of an index that names none: the table and the declared fields, `books_title_updated_at`.
    public static func indexName(table: String, fields: [String]) -> String {
        ([table] + fields.map(snakeCase)).joined(separator: "_")
    }

    /// The Swift property of a field.
    ///
    /// A field keeps its declared name unless it refers to entities, whose ids it holds then:
    /// `author: Author` → `authorID`. A list or map of references takes the singular and `IDs`:
    /// `authors: [Author]` → `authorIDs`. The singular is the entity's own name where the field ends
    /// in that entity's plural (`subCategories: [Category]` → `subCategoryIDs`); otherwise a single
    /// final `s` is dropped.
    ///
    /// - Parameters:
    ///   - field: The field as it is declared.
    ///   - isReference: Whether the innermost type of the field is an entity.
    public static func propertyName(of field: FieldDeclaration, isReference: Bool) -> String {
        let name = field.name.value
        guard isReference else { return name }
        switch field.type.value.unwrapped {
        case .list, .map:
            return singular(name, entity: field.type.value.innermostName) + "IDs"
        case .base, .named, .optional:
            return name + "ID"
        }
    }

    /// The column of a field, unless it is a reference to an entity with a composite id.
    ///
    /// It is what `column` says, otherwise the property's name, in snake case unless the settings
    /// keep names as written: `authorID` → `author_id`.
    public static func columnName(
        of field: FieldDeclaration, isReference: Bool, style: SchemaSettings.ColumnNaming
    ) -> String {
        if let column = field.column { return column.value }
        return styled(propertyName(of: field, isReference: isReference), style)
    }

    /// The column that holds one component of a composite id in a field that refers to its entity:
    /// `<field>_<component>`, where the component is named as its own column is there.
    ///
    /// - Parameters:
    ///   - field: The referring field; what its `column` says stands for its name.
    ///   - component: The field of the other entity that is a component of its id.
    ///   - isReference: Whether `component` is itself a reference: `entry_playlist_id`.
    ///   - style: How columns are named after fields.
    public static func columnName(
        of field: FieldDeclaration, component: FieldDeclaration, isReference: Bool,
        style: SchemaSettings.ColumnNaming
    ) -> String {
        let prefix = field.column?.value ?? styled(field.name.value, style)
        return prefix + "_" + columnName(of: component, isReference: isReference, style: style)
    }

    private static func styled(_ name: String, _ style: SchemaSettings.ColumnNaming) -> String {
        switch style {
        case .snakeCase: snakeCase(name)
        case .asWritten: name
        }
    }

    private static func singular(_ name: String, entity: String?) -> String {
        if let entity {
            let own = lowerCamelCase(entity)
            if name == plural(own) { return own }
            if name.hasSuffix(plural(entity)) {
                return name.dropLast(plural(entity).count) + entity
            }
        }
        return name.hasSuffix("s") && !name.hasSuffix("ss") ? String(name.dropLast()) : name
    }
}

extension TypeExpression {
    /// The declared name inside all optionals, lists and maps; nil where a base type stands there.
    public var innermostName: String? {
        switch self {
        case .base: nil
        case .named(let name): name
        case .optional(let wrapped), .list(let wrapped), .map(let wrapped): wrapped.innermostName
        }
    }
}
