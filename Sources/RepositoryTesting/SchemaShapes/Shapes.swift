internal import RepositoryRuntime

/// The versions of one table that the behaviours of opening use.
enum Shapes {
    /// Creates the table `things` with an id.
    static func things(
        _ name: String = "things", renamedFrom: [String] = [],
        _ change: (inout EntityTable) -> Void = { _ in }
    ) -> EntityTable {
        var table = EntityTable(name, entity: "Thing", renamedFrom: renamedFrom)
        table.field("id", .text, key: true)
        change(&table)
        return table
    }

    /// The first version: `title` and `size`.
    enum First: Shape {
        static let table = things { table in
            table.field("title", .text)
            table.field("size", .int64)
        }
    }

    /// With an additional optional field.
    enum Optional: Shape {
        static let table = things { table in
            table.field("title", .text)
            table.field("size", .int64)
            table.field("note", .text, optional: true)
        }
    }

    /// With additional fields that have constant defaults.
    enum Defaulted: Shape {
        static let table = things { table in
            table.field("title", .text)
            table.field("size", .int64)
            table.field("state", .text, default: .text("new"))
            table.field("count", .int64, default: .integer(7))
        }
    }

    /// With an additional required field without a default.
    enum Required: Shape {
        static let table = things { table in
            table.field("title", .text)
            table.field("size", .int64)
            table.field("state", .text)
        }
    }

    /// With `title` renamed.
    enum Renamed: Shape {
        static let table = things { table in
            table.field(
                "headline", .text, renamedFrom: ["title"], columnsRenamedFrom: ["title"])
            table.field("size", .int64)
        }
    }

    /// With the table renamed.
    enum Moved: Shape {
        static let table = things("objects", renamedFrom: ["things"]) { table in
            table.field("title", .text)
            table.field("size", .int64)
        }
    }

    /// With an additional index.
    enum Indexed: Shape {
        static let table = things { table in
            table.field("title", .text)
            table.field("size", .int64)
            table.index("things_title", ["title", "-size"])
        }
    }

    /// With a search of `title`.
    enum Searched: Shape {
        static let table = things { table in
            table.field("title", .text)
            table.field("size", .int64)
            table.search(["title"])
        }
    }

    /// With a search of `title` under another name.
    enum SearchedHeadline: Shape {
        static let table = things { table in
            table.field(
                "headline", .text, renamedFrom: ["title"], columnsRenamedFrom: ["title"])
            table.field("size", .int64)
            table.search(["headline"])
        }
    }

    /// With a search of `title`, and the table renamed.
    enum SearchedObjects: Shape {
        static let table = things("objects", renamedFrom: ["things"]) { table in
            table.field("title", .text)
            table.field("size", .int64)
            table.search(["title"])
        }
    }

    /// With an additional unique index.
    enum Unique: Shape {
        static let table = things { table in
            table.field("title", .text)
            table.field("size", .int64)
            table.index("things_title", ["title"], unique: true)
        }
    }

    /// With `size` as a string and `title` as an integer: two incompatible changes.
    enum Retyped: Shape {
        static let table = things { table in
            table.field("title", .int64)
            table.field("size", .text)
        }
    }
}
