internal import RepositoryRuntime

/// The states of one table that the behaviours of opening go through.
enum Shapes {
    /// Starts a table called `things` with an id and a text `title`.
    static func things(
        _ name: String = "things", renamedFrom: [String] = [],
        _ change: (inout EntityTable) -> Void = { _ in }
    ) -> EntityTable {
        var table = EntityTable(name, entity: "Thing", renamedFrom: renamedFrom)
        table.field("id", .text, key: true)
        change(&table)
        return table
    }

    /// As first written: `title` and `size`.
    enum First: Shape {
        static let table = things { table in
            table.field("title", .text)
            table.field("size", .int64)
        }
    }

    /// An optional field more.
    enum Optional: Shape {
        static let table = things { table in
            table.field("title", .text)
            table.field("size", .int64)
            table.field("note", .text, optional: true)
        }
    }

    /// A field with a constant default more.
    enum Defaulted: Shape {
        static let table = things { table in
            table.field("title", .text)
            table.field("size", .int64)
            table.field("state", .text, default: .text("new"))
            table.field("count", .int64, default: .integer(7))
        }
    }

    /// A required field without a default more.
    enum Required: Shape {
        static let table = things { table in
            table.field("title", .text)
            table.field("size", .int64)
            table.field("state", .text)
        }
    }

    /// `title` under another name.
    enum Renamed: Shape {
        static let table = things { table in
            table.field(
                "headline", .text, renamedFrom: ["title"], columnsRenamedFrom: ["title"])
            table.field("size", .int64)
        }
    }

    /// The table under another name.
    enum Moved: Shape {
        static let table = things("objects", renamedFrom: ["things"]) { table in
            table.field("title", .text)
            table.field("size", .int64)
        }
    }

    /// An index more.
    enum Indexed: Shape {
        static let table = things { table in
            table.field("title", .text)
            table.field("size", .int64)
            table.index("things_title", ["title", "-size"])
        }
    }

    /// A unique index more.
    enum Unique: Shape {
        static let table = things { table in
            table.field("title", .text)
            table.field("size", .int64)
            table.index("things_title", ["title"], unique: true)
        }
    }

    /// `size` is a text, and `title` may be null: two differences, neither harmless.
    enum Retyped: Shape {
        static let table = things { table in
            table.field("title", .int64)
            table.field("size", .text)
        }
    }
}
