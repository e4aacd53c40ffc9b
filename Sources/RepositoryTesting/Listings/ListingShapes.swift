internal import Foundation
internal import RepositoryRuntime

/// The tables of listings that the behaviours use.
enum Listings {
    /// Starts a table called `listings`.
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

    /// Without checks and indexes.
    enum Plain: ListingShape {
        static let table = listings()
    }

    /// With checks: over two fields, with a negation of what may be null, and over a rounded number.
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

    /// With partial indexes: titles are unique among what is not gone, and what is open is found by its count.
    enum Covered: ListingShape {
        static let table = listings { table in
            let listing = Listing<Covered>.Fields()
            table.index(
                "listings_title", ["title", "note"], unique: true, where: listing.state != "gone")
            table.index("listings_open", ["-count"], where: listing.state == "open")
            table.index("listings_noted", ["note"], where: listing.note != nil)
        }
    }

    /// The same indexes for other records.
    enum Recovered: ListingShape {
        static let table = listings { table in
            let listing = Listing<Recovered>.Fields()
            table.index(
                "listings_title", ["title", "note"], unique: true, where: listing.count > 5)
            table.index("listings_open", ["-count"], where: listing.state == "gone")
        }
    }

    /// With titles and states that ignore case: titles are unique among what is not gone.
    enum Folded: ListingShape {
        static let table = listings(ignoringCase: true) { table in
            let listing = Listing<Folded>.Fields()
            table.check("sound", listing.state != "Broken", message: "Nothing is broken.")
            table.index("listings_title", ["title"], unique: true, where: listing.state != "Gone")
            table.index("listings_state", ["-state", "count"])
        }
    }

    /// The same without indexes.
    enum Unindexed: ListingShape {
        static let table = listings(ignoringCase: true) { table in
            let listing = Listing<Unindexed>.Fields()
            table.check("sound", listing.state != "Broken", message: "Nothing is broken.")
        }
    }

    /// The same table with texts that go by their bytes.
    enum Unfolded: ListingShape {
        static let table = listings { table in
            let listing = Listing<Unfolded>.Fields()
            table.index("listings_title", ["title"], unique: true, where: listing.state != "Gone")
            table.index("listings_state", ["-state", "count"])
        }
    }

    /// With a reference that becomes null: what is filed has a drawer, and outside of drawers titles are unique.
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
    /// What listings lie in.
    enum Drawer: Shape {
        static let table: EntityTable = {
            var table = EntityTable("drawers", entity: "Drawer")
            table.field("id", .text, key: true)
            return table
        }()
    }
}
