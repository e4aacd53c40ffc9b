import RepositorySchema
import Testing

@Suite("Names derived from declared ones")
struct NamingTests {
    @Test(
        "snake case",
        arguments: [
            ("updatedAt", "updated_at"), ("authorID", "author_id"), ("authorIDs", "author_ids"),
            ("HTTPServer2", "http_server2"), ("URLsOfPages", "urls_of_pages"), ("title", "title"),
            ("already_snake", "already_snake"), ("_hidden", "_hidden"), ("line2Text", "line2_text"),
            ("aB", "a_b"), ("A", "a"), ("PlaylistTrack", "playlist_track"), ("Ärger", "ärger"),
            ("thisIsIt", "this_is_it"), ("HTTPStatus", "http_status"), ("snake_Case", "snake_case"),
        ])
    func snakeCase(name: String, expected: String) {
        #expect(Naming.snakeCase(name) == expected)
    }

    @Test(
        "table names and repository properties",
        arguments: [
            ("Book", "books", "books"), ("Category", "categories", "categories"),
            ("Box", "boxes", "boxes"), ("Address", "addresses", "addresses"),
            ("Branch", "branches", "branches"), ("Day", "days", "days"),
            ("Quiz", "quizes", "quizes"), ("PlaylistTrack", "playlist_tracks", "playlistTracks"),
            ("URLRule", "url_rules", "urlRules"), ("Wish", "wishes", "wishes"),
            ("Person", "persons", "persons"), ("Y", "ys", "ys"),
        ])
    func plurals(entity: String, table: String, property: String) {
        #expect(Naming.tableName(for: entity) == table)
        #expect(Naming.repositoryPropertyName(for: entity) == property)
    }

    @Test(
        "properties and columns of references",
        arguments: [
            ("author", TypeExpression.named("Author"), "authorID", "author_id"),
            ("editor", .optional(.named("Author")), "editorID", "editor_id"),
            ("authors", .list(.named("Author")), "authorIDs", "author_ids"),
            ("categories", .optional(.list(.named("Category"))), "categoryIDs", "category_ids"),
            ("subCategories", .list(.named("Category")), "subCategoryIDs", "sub_category_ids"),
            ("staff", .list(.named("Person")), "staffIDs", "staff_ids"),
            ("byDay", .map(.named("Author")), "byDayIDs", "by_day_ids"),
        ])
    func references(name: String, type: TypeExpression, property: String, column: String) {
        let field = Self.field(name, type)
        #expect(Naming.propertyName(of: field, isReference: true) == property)
        #expect(Naming.propertyName(of: field, isReference: false) == name)
        #expect(Naming.columnName(of: field, isReference: true, style: .snakeCase) == column)
        #expect(Naming.columnName(of: field, isReference: true, style: .asWritten) == property)
    }

    @Test("columns of a reference to a composite id")
    func compositeColumns() {
        var entry = Self.field("entry", .named("PlaylistTrack"))
        let playlist = Self.field("playlist", .named("Playlist"))
        #expect(
            Naming.columnName(
                of: entry, component: playlist, isReference: true, style: .snakeCase)
                == "entry_playlist_id")
        entry.details.column = Located("item", at: entry.name.range)
        #expect(
            Naming.columnName(
                of: entry, component: playlist, isReference: true, style: .asWritten)
                == "item_playlistID")
    }

    @Test("identifiers and keywords")
    func identifiers() {
        #expect(Naming.isIdentifier("größe"))
        #expect(Naming.isIdentifier("_x1"))
        for text in ["", "1a", "a-b", "a b", "_", "😀", "a.b"] {
            #expect(!Naming.isIdentifier(text))
        }
        #expect(Naming.escaped("default") == "`default`")
        #expect(Naming.escaped("type") == "type")
        #expect(Naming.isUnusableMember("Type"))
        #expect(!Naming.isUnusableMember("self"))
        #expect(Naming.localName("default") == "`default`")
        #expect(Naming.parameter("default") == "`default`")
        #expect(Naming.localName("self") == "self_")
        #expect(Naming.localName("self_") == "self__")
        #expect(Naming.parameter("self") == "self self_")
        #expect(Naming.localName("selfish") == "selfish")
    }

    private static func field(_ name: String, _ type: TypeExpression) -> FieldDeclaration {
        let range = SourceRange(path: "Schemas/A.yaml", start: .start, end: .start)
        return FieldDeclaration(name: Located(name, at: range), type: Located(type, at: range))
    }
}
