/// The rules that derive names from declared names. All stages of the generator use them.
///
/// The rules are frozen: changing one would rename columns and tables of existing databases.
public enum Naming {
    /// The plural of an English noun by the regular rules: -es after s, x, z, ch and sh; -ies for
    /// consonant + y; -s otherwise. Irregular nouns are not recognised. The case of the letters is
    /// preserved.
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

    /// The default table name of an entity: `Book` → `books`, `PlaylistTrack` → `playlist_tracks`.
    public static func tableName(for entity: String) -> String {
        plural(snakeCase(entity))
    }

    /// The property of the generated set that holds an entity's repository: `PlaylistTrack` →
    /// `playlistTracks`, `URLRule` → `urlRules`.
    public static func repositoryPropertyName(for entity: String) -> String {
        plural(lowerCamelCase(entity))
    }

    /// The default name of an index, made of the table and the declared fields:
    /// `books_title_updated_at`.
    public static func indexName(table: String, fields: [String]) -> String {
        // `shelf.room` is a field inside a value.
        let names = fields.flatMap { $0.split(separator: ".").map(String.init) }
        return ([table] + names.map(snakeCase)).joined(separator: "_")
    }

    /// The Swift property of a field.
    ///
    /// A field keeps its declared name, unless it is a reference; then the property holds ids:
    /// `author: Author` → `authorID`. For a list or map of references, the property ends in `IDs`
    /// after the singular of the name: `authors: [Author]` → `authorIDs`. If the name ends in the
    /// plural of the entity's name, its singular is the entity's name (`subCategories: [Category]`
    /// → `subCategoryIDs`); otherwise a final `s` is dropped.
    ///
    /// - Parameters:
    ///   - field: The declared field.
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

    /// The column of a field that is not a reference to an entity with a composite id.
    ///
    /// It is the value of `column`, or the property's name, which is converted to snake case unless
    /// the settings keep names as written: `authorID` → `author_id`.
    public static func columnName(
        of field: FieldDeclaration, isReference: Bool, style: SchemaSettings.ColumnNaming
    ) -> String {
        if let column = field.column { return column.value }
        return styled(propertyName(of: field, isReference: isReference), style)
    }

    /// The column for one component of a composite id, in a field that refers to the entity:
    /// `<field>_<component>`. The component part is the name of the component's own column.
    ///
    /// - Parameters:
    ///   - field: The referring field. Its `column`, if declared, is the prefix.
    ///   - component: The field of the other entity that is a component of its id.
    ///   - isReference: Whether `component` itself is a reference, as in `entry_playlist_id`.
    ///   - style: The naming style of columns.
    public static func columnName(
        of field: FieldDeclaration, component: FieldDeclaration, isReference: Bool,
        style: SchemaSettings.ColumnNaming
    ) -> String {
        let prefix = field.column?.value ?? styled(field.name.value, style)
        return prefix + "_" + columnName(of: component, isReference: isReference, style: style)
    }

    /// The name in the naming style of columns.
    private static func styled(_ name: String, _ style: SchemaSettings.ColumnNaming) -> String {
        switch style {
        case .snakeCase: snakeCase(name)
        case .asWritten: name
        }
    }

    /// The singular of a field's name, by the rules of ``propertyName(of:isReference:)``.
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
    /// The declared type name inside all optionals, lists and maps; nil for a base type.
    public var innermostName: String? {
        switch self {
        case .base: nil
        case .named(let name): name
        case .optional(let wrapped), .list(let wrapped), .map(let wrapped): wrapped.innermostName
        }
    }
}
