internal import Foundation
internal import RepositoryRuntime

/// The tables of listings that behaviours use.
enum Listings {
    /// Creates the table `listings`.
    private static func listings(
        reference: TableReference? = nil, ignoringCase: Bool = false,
        _ change: (inout EntityTable) -> Void = { _ in }
    ) -> EntityTable {
        var table = EntityTable("listings", entity: "Listing")
        table.field("id", .text, key: true)
        table.field("title", .text, ignoringCase: ignoringCase)
        table.field("note", .text, optional: true, sensitive: true)
        table.field("state", .text, ignoringCase: ignoringCase)
        table.field("count", .int64)
        table.field("price", .decimal(scale: 2))
        table.field("drawer", .text, optional: true, reference: reference)
        change(&table)
        return table
    }

    /// No checks and no indexes.
    enum Plain: ListingShape {
        static let table = listings()
    }

    /// Checks: over two fields, with a negated comparison of a nullable field, and over a rounded
    /// number.
    enum Checked: ListingShape {
        static let table = listings { table in
            let listing = Listing<Checked>.Fields()
            table.check(
                "counted", listing.count > 0 || listing.note == nil,
                message: "A listing with a note counts something.")
            table.check("unhidden", !(listing.note == "hidden"), message: "No note is hidden.")
            table.check("priced", listing.price > 0, message: "A listing has a price.")
            table.check(
                "stated", listing.state.in(["open", "it's \"closed\"", "gone"]),
                message: "A state is one of three.")
        }
    }

    /// Partial indexes: titles are unique among the listings that are not gone, and open listings
    /// are found by count.
    enum Covered: ListingShape {
        static let table = listings { table in
            let listing = Listing<Covered>.Fields()
            table.index(
                "listings_title", ["title", "note"], unique: true, where: listing.state != "gone")
            table.index("listings_open", ["-count"], where: listing.state == "open")
            table.index("listings_noted", ["note"], where: listing.note != nil)
        }
    }

    /// The same indexes with other conditions.
    enum Recovered: ListingShape {
        static let table = listings { table in
            let listing = Listing<Recovered>.Fields()
            table.index(
                "listings_title", ["title", "note"], unique: true, where: listing.count > 5)
            table.index("listings_open", ["-count"], where: listing.state == "gone")
        }
    }

    /// Case-insensitive titles and states. Titles are unique among the listings that are not gone.
    enum Folded: ListingShape {
        static let table = listings(ignoringCase: true) { table in
            let listing = Listing<Folded>.Fields()
            table.check("sound", listing.state != "Broken", message: "Nothing is broken.")
            table.index("listings_title", ["title"], unique: true, where: listing.state != "Gone")
            table.index("listings_state", ["-state", "count"])
        }
    }

    /// Case-insensitive titles and states without indexes.
    enum Unindexed: ListingShape {
        static let table = listings(ignoringCase: true) { table in
            let listing = Listing<Unindexed>.Fields()
            table.check("sound", listing.state != "Broken", message: "Nothing is broken.")
        }
    }

    /// The same indexes with case-sensitive fields.
    enum Unfolded: ListingShape {
        static let table = listings { table in
            let listing = Listing<Unfolded>.Fields()
            table.index("listings_title", ["title"], unique: true, where: listing.state != "Gone")
            table.index("listings_state", ["-state", "count"])
        }
    }

    /// A reference with `onDelete: setNull`: a filed listing has a drawer, and titles are unique
    /// among the others.
    enum Filed: ListingShape {
        static let table = listings(
            reference: TableReference("drawers", onDelete: .setNull)
        ) { table in
            let listing = Listing<Filed>.Fields()
            table.check(
                "filed", listing.drawer != nil || listing.state != "filed",
                message: "What is filed has a drawer.")
            table.index(
                "listings_loose", ["title"], unique: true, where: listing.drawer == nil)
        }
    }
}

extension Shapes {
    /// The records that listings refer to.
    enum Drawer: Shape {
        static let table: EntityTable = {
            var table = EntityTable("drawers", entity: "Drawer")
            table.field("id", .text, key: true)
            return table
        }()
    }
}
