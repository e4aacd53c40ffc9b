import GRDB

/// The tables, made in two steps as they grow in a program that is used.
enum Migrations {
    static var all: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("observers") { database in
            try database.create(table: "observer") { table in
                table.primaryKey("id", .blob)
                table.column("name", .text).notNull()
                table.column("email", .text).unique()
                table.column("joinedAt", .datetime).notNull()
            }
            try database.create(table: "camera") { table in
                table.primaryKey("id", .text)
                table.column("serial", .text).unique()
                table.column("model", .text).notNull()
            }
        }
        migrator.registerMigration("sightings") { database in
            try database.create(table: "sighting") { table in
                table.autoIncrementedPrimaryKey("id")
                table.belongsTo("observer", onDelete: .cascade).notNull()
                table.belongsTo("confirmer", inTable: "observer", onDelete: .setNull)
                table.belongsTo("camera")
                table.column("species", .text).notNull()
                table.column("number", .integer).notNull()
                table.column("distance", .double)
                table.column("isRare", .boolean).notNull().defaults(to: false)
                table.column("seenAt", .datetime).notNull().indexed()
                table.column("reportedAt", .double)
                table.column("checkedAt", .integer)
                table.column("photo", .blob)
                table.column("link", .text)
                table.column("weight", .text)
                table.column("weather", .text).notNull()
                table.column("place", .jsonText).notNull()
                table.column("tags", .jsonText).notNull()
                table.column("flock", .jsonText).notNull()
            }
            try database.create(
                index: "sighting_on_species_seenAt", on: "sighting",
                columns: ["species", "seenAt"], options: .unique)
        }
        return migrator
    }
}
