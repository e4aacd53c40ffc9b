internal import Foundation
internal import RepositoryRuntime

/// The versions of a table of books.
enum BookVersions {
    typealias First = VersionedRecord<One>
    typealias Second = VersionedRecord<Two>
    typealias Third = VersionedRecord<Three>

    /// Version 1.
    enum One: VersionShape {
        static let table = make("books") { table in
            table.field("title", .text)
            table.field("subtitle", .text, optional: true)
            table.field("price", .int64)
            table.field("pages", .int64, optional: true)
            table.field("rating", .text)
            table.index("books_title", ["title"])
        }
    }

    /// Version 2: `subtitle` removed, `pages` required, `language` new and required.
    enum Two: VersionShape {
        static let table = make("books") { table in
            table.field("title", .text)
            table.field("price", .int64)
            table.field("pages", .int64)
            table.field("rating", .text)
            table.field("language", .text, rules: FieldRules(minLength: 2))
            table.index("books_title", ["title"])
        }
    }

    /// Version 3: `price` a decimal, `rating` an integer, `title` renamed.
    enum Three: VersionShape {
        static let table = make("volumes", renamedFrom: ["books"]) { table in
            table.field(
                "headline", .text, renamedFrom: ["title"], columnsRenamedFrom: ["title"])
            table.field(
                "price", .decimal(scale: 2), rules: FieldRules(minimum: .decimal(0)))
            table.field("pages", .int64)
            table.field("rating", .int64)
            table.field("language", .text, rules: FieldRules(minLength: 2))
            table.index("books_title", ["headline"])
        }
    }
}

/// The versions of a table whose records contain an embedded value and a list.
enum ShelfVersions {
    /// The members of version 1.
    enum FirstPart: VersionPart {
        static let layout = FieldLayout(
            "Part",
            [
                FieldDescription("room", .text), FieldDescription("row", .int64),
                FieldDescription("old", .text, optional: true),
            ])
    }

    /// The members of version 2: `row` a text, `old` removed, `floor` new, `hall` was `room`.
    enum SecondPart: VersionPart {
        static let layout = FieldLayout(
            "Part",
            [
                FieldDescription("hall", .text, renamedFrom: ["room"]),
                FieldDescription("row", .text), FieldDescription("floor", .int64),
            ])
    }

    /// Version 1.
    enum One: VersionShape {
        typealias Part = FirstPart
        static let table = make("shelves") { table in
            table.field("place", .object(FirstPart.layout))
            table.field("tag", .text)
        }
    }

    /// Version 2, in which `tag` is a list.
    enum Two: VersionShape {
        typealias Part = SecondPart
        static let table = make("shelves") { table in
            table.field("place", .object(SecondPart.layout))
            table.field("tag", .list(.text))
        }
    }
}

/// Small versions of a table with one or two fields.
enum ThingVersions {
    /// A table of things that refer to each other by `note`.
    enum Noted: VersionShape {
        static let table = make("things") { $0.field("note", .text) }
    }

    /// The table has another name.
    enum Renamed: VersionShape {
        static let table = make("items", renamedFrom: ["things"]) { $0.field("note", .text) }
    }

    /// A table with the later name of the first one.
    enum Items: VersionShape {
        static let table = make("items") { $0.field("note", .text) }
    }

    /// That table with another name.
    enum ThingsOfItems: VersionShape {
        static let table = make("others", renamedFrom: ["items"]) { $0.field("note", .text) }
    }

    /// The note is gone.
    enum Bare: VersionShape {
        static let table = make("things") { _ in }
    }

    /// The name of the note is that of another, optional field.
    enum Reused: VersionShape {
        static let table = make("things") { $0.field("note", .text, optional: true) }
    }

    /// The note is an optional integer.
    enum Counted: VersionShape {
        static let table = make("things") { $0.field("note", .int64) }
    }

    /// Notes are unique.
    enum Unique: VersionShape {
        static let table = make("things") { table in
            table.field("note", .text)
            table.index("things_note", ["note"], unique: true)
        }
    }

    /// Another table.
    enum Other: VersionShape {
        static let table = make("others") { $0.field("thing", .text, optional: true) }
    }

    /// Another table, whose field is a reference.
    enum Referring: VersionShape {
        static let table = make("others") { table in
            table.field("thing", .text, optional: true, reference: TableReference("things"))
        }
    }
}
