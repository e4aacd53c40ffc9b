import Foundation
import Generated
import RepositoryRuntime
import Testing

/// Decoding and encoding of patches and drafts.
struct RecordPatchTests {
    private func error<T: Decodable>(
        decoding type: T.Type, _ text: String
    ) throws -> CRUDRepositoryError {
        try #require(throws: CRUDRepositoryError.self) {
            try JSONDecoder().decode(type, from: Data(text.utf8))
        }
    }

    private func patch(_ text: String) throws -> RecordPatch<Book> {
        try JSONDecoder().decode(RecordPatch<Book>.self, from: Data(text.utf8))
    }

    @Test func namesEveryWrongField() throws {
        let body = """
            {"isbn": "9780061054884", "titel": "x", "subtitle": null, "pages": "many", "title": null,
             "author": "y", "updatedAt": 0, "status": "gone", "tags": ["a", null, 3],
             "shelf": {"room": "B", "rwo": 1}, "price": true}
            """
        let error = try error(decoding: RecordPatch<Book>.self, body)
        #expect(error.code == .invalidItem)
        #expect(error.table == "books")
        let found = error.violations.map { "\($0.field ?? "-") \($0.rule)" }
        #expect(
            found == [
                "isbn forbidden", "updatedAt forbidden", "author unknown", "pages type",
                "price type", "shelf.rwo unknown", "shelf.row required", "status type",
                "tags.1 required", "tags.2 type", "titel unknown", "title required",
            ])
        for field in found { #expect(error.message.contains(field.split(separator: " ")[0])) }
    }

    @Test func distinguishesNullFromAbsent() throws {
        let patch = try patch(#"{"subtitle": null, "pages": 7}"#)
        #expect(patch.fieldNames == ["subtitle", "pages"])
        #expect(try patch.value(of: \.subtitle) == .some(nil))
        #expect(try patch.value(of: \.shelf) == nil)
        #expect(try patch.value(of: \.pages) == 7)
        let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(patch))
        let object = try #require(encoded as? [String: Any])
        #expect(object.count == 2)
        #expect(object["subtitle"] is NSNull)
    }

    @Test func isSetThroughProperties() throws {
        var patch = RecordPatch<Book>()
        #expect(patch.isEmpty)
        patch.title = "Emma"
        patch.subtitle = nil
        patch.status = .onLoan
        patch.shelf = Shelf(room: "B", row: 2)
        #expect(patch.fieldNames == ["title", "subtitle", "status", "shelf"])
        #expect(try patch.value(of: \.shelf) == Shelf(room: "B", row: 2))
        let decoded = try self.patch(
            #"{"title":"Emma","subtitle":null,"status":"on_loan","shelf":{"room":"B","row":2}}"#)
        #expect(decoded == patch)
        patch.remove(\.subtitle)
        #expect(patch.fieldNames == ["title", "status", "shelf"])
        patch.expectedVersion = 3
        #expect(try patch.value(of: \.revision) == 3)
        patch.expectedVersion = nil
        #expect(patch.fieldNames == ["title", "status", "shelf"])
    }

    @Test func printsNoValues() throws {
        var patch = RecordPatch<Book>()
        patch.title = "secret"
        #expect("\(patch)" == "RecordPatch<Book>(title)")
        var text = ""
        dump(patch, to: &text)
        #expect(!text.contains("secret"))
    }

    @Test func wrongTypesOfBodies() {
        for text in ["[]", "1", "\"x\"", "null"] {
            #expect(throws: (any Error).self) { try patch(text) }
        }
    }

    @Test func numbersBeyondTheirType() throws {
        let error = try error(
            decoding: RecordPatch<Book>.self,
            #"{"pages": 1e30, "shelf": {"room": "B", "row": 1.5}}"#)
        #expect(error.violations.map(\.field) == ["pages", "shelf.row"])
    }

    @Test func draftsNameEveryWrongField() throws {
        let error = try error(
            decoding: RecordDraft<Book>.self,
            #"{"isbn": 5, "revision": 1, "updatedAt": 0, "x": 1}"#)
        #expect(
            error.violations.map { "\($0.field ?? "-") \($0.rule)" } == [
                "updatedAt forbidden", "revision forbidden", "isbn type", "x unknown",
            ])
        let author = try self.error(
            decoding: RecordDraft<Author>.self,
            #"{"id": "00000000-0000-0000-0000-000000000000", "name": "x"}"#)
        #expect(author.violations.map(\.rule) == [.forbidden])
    }

    @Test func draftsReportEverythingThatIsMissing() async throws {
        let library = Library(InMemoryStore())
        let error = await #expect(throws: CRUDRepositoryError.self) {
            try await library.books.create(RecordDraft())
        }
        #expect(error?.violations.map(\.field) == ["isbn", "title", "pages", "authorID"])
        #expect(error?.violations.map(\.rule) == Array(repeating: .required, count: 4))
        #expect(error?.violations.map(\.index) == [0, 0, 0, 0])
    }

    @Test func violationsAreCodable() throws {
        let violation = CRUDRepositoryError.Violation(
            index: 1, id: "a", field: "pages", rule: .minimum, message: "m")
        let data = try JSONEncoder().encode(violation)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(object["rule"] as? String == "minimum")
        let decoded = try JSONDecoder().decode(CRUDRepositoryError.Violation.self, from: data)
        #expect(decoded == violation)
    }
}
