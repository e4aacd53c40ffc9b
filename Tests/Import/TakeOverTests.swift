import Foundation
import RepositoryGeneratorCore
import RepositoryImport
import RepositorySchema
import RepositorySchemaParser
import Testing

/// Schemas for tables that become those of a store.
@Suite("Schemas that take tables over")
struct TakeOverTests {
    @Test("leave alone what would lose something, with the reason")
    func choice() throws {
        let folder = try DatabaseFolder(
            """
            CREATE TABLE plain (id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL, price REAL);
            CREATE TABLE children (id INTEGER PRIMARY KEY, plain_id INTEGER REFERENCES plain (id));
            CREATE TABLE fired (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE checked (id INTEGER PRIMARY KEY, name TEXT CHECK (name GLOB 'a*'));
            CREATE TABLE mixed (id INTEGER PRIMARY KEY, value);
            CREATE TABLE computed (id INTEGER PRIMARY KEY, twice INTEGER AS (id * 2));
            CREATE TABLE log (text TEXT);
            CREATE VIEW names AS SELECT name FROM plain;
            CREATE TRIGGER stamp AFTER UPDATE ON fired BEGIN SELECT 1; END;
            INSERT INTO mixed VALUES (1, 1), (2, 'two');
            INSERT INTO plain VALUES (1, 'a', 1.5);
            """)
        let found = try DatabaseImport(.sqlite(folder.path), takingOver: true)
        let sources = found.files.map {
            SchemaSource(path: $0.path, bytes: Array($0.text.utf8), displayPath: $0.path)
        }
        let (set, problems) = SchemaParser.parse(
            files: Array(sources.dropFirst()), settings: sources.first)
        #expect(problems.map(\.message) == [])
        #expect(Validator.validate(set).map(\.message) == [])
        #expect(set.settings.manage)
        var managed: [String] = []
        for case .entity(let entity) in set.declarations
        where entity.manage?.value != false && !entity.isReadOnly {
            managed.append(entity.header.name.value)
        }
        #expect(managed.sorted() == ["Child", "Plain"])
        let report = found.report.joined(separator: "\n")
        #expect(report.contains("Taken over: 2 tables"))
        for line in [
            "Fired stays as it is: trigger \"stamp\"", "Checked stays as it is: CHECK",
            "Mixed stays as it is: the field 'value' has values of several kinds",
            "Computed stays as it is: the database computes the field 'twice'",
            "Log stays as it is: it is only read", "Name stays as it is: it is only read",
        ] {
            #expect(report.contains(line), "\(line) in \(report)")
        }
        for file in found.files where file.path == "Fired.yaml" {
            #expect(file.text.contains("# not taken over: trigger"))
        }
    }
}
