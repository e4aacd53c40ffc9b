import Foundation
import Generated
import RepositoryRuntime
import Testing

/// What reading a record does with members that are missing, foreign, out of order, renamed or wrong.
@Suite("Reading records from JSON")
struct RecordReadingTests {
    private let transformer = JSONDataTransformer()
    private let base: [String: String] = [
        "id": #""s""#, "text": #""t""#, "flag": "true", "tiny": "1", "large": "2", "single": "0.5",
        "ratio": "1.5", "price": "2.50", "seen": "0",
        "token": #""00010203-0405-0607-0809-0a0b0c0d0eff""#,
        "bytes": #""""#, "grid": "[]", "prices": "{}", "shelves": "[]", "days": "{}", "maybe": "{}",
        "links": "[]",
    ]

    private func document(_ changes: [String: String?] = [:]) -> String {
        let members = base.merging(changes.compactMapValues { $0 }) { $1 }
            .filter { changes[$0.key] != .some(nil) }
        return "{"
            + members.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1)" }.joined(separator: ",")
            + "}"
    }

    private func read(_ json: String) throws -> Specimen {
        try transformer.decodeRecord(Data(json.utf8), SpecimenMapper.self)
    }

    private func expectError(
        _ path: String, mismatch: Bool = true, _ json: String,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(sourceLocation: location) {
            try read(json)
        } throws: { error in
            guard let error = error as? RecordDecodingError else { return false }
            #expect(error.path == path, sourceLocation: location)
            return error.isMismatch == mismatch
        }
    }

    @Test("Members come in any order, with white space and unknown ones between")
    func anyOrder() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var full = Specimen.edges().first { $0.id == "full" } ?? Specimen("")
        full.note = "note"
        full.count = 7
        full.until = full.seen
        let bytes = try transformer.encodeRecord(full, SpecimenMapper.self)
        let object = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        let optional: Set = ["note", "count", "until", "link", "shelf", "loan", "secret"]
        for _ in 0..<300 {
            var expected = full
            let absent = optional.filter { _ in Bool.random(using: &random) }
            if absent.contains("note") { expected.note = nil }
            if absent.contains("count") { expected.count = nil }
            if absent.contains("until") { expected.until = nil }
            if absent.contains("link") { expected.link = nil }
            if absent.contains("shelf") { expected.shelf = nil }
            if absent.contains("loan") { expected.loan = nil }
            var members = try object.filter { !absent.contains($0.key) }.map { key, value in
                let data = try JSONSerialization.data(
                    withJSONObject: value, options: [.fragmentsAllowed])
                return "\"\(key)\" :\n" + String(decoding: data, as: UTF8.self)
            }
            members.append(#""unknown": [{"a": "\\\"]"}, -1.5e3, null]"#)
            members.shuffle(using: &random)
            let json = " { " + members.joined(separator: " ,\t") + " } "
            #expect(try read(json) == expected, "\(json)")
        }
    }

    @Test("Absent and null: optionals are nil, defaults count only where the member is absent")
    func absentAndNull() throws {
        #expect(try read(document()).status == .available)
        #expect(try read(document(["note": "null"])).note == nil)
        #expect(try read(document(["status": #""on_loan""#])).status == .onLoan)
        expectError("status", document(["status": "null"]))
        expectError("text", document(["text": nil]))
        expectError("text", document(["text": "null"]))
        expectError("shelf.row", document(["shelf": #"{"room":"a"}"#]))
    }

    @Test("Earlier names: the present one wins, then the newest")
    func earlierNames() throws {
        #expect(try read(document(["comment": #""c""#])).note == "c")
        #expect(try read(document(["remark": #""r""#])).note == "r")
        #expect(try read(document(["comment": #""c""#, "remark": #""r""#])).note == "r")
        #expect(try read(document(["comment": #""c""#, "note": #""n""#])).note == "n")
    }

    @Test("Of two members of one name the first counts, as for Foundation")
    func duplicates() throws {
        let twice = document().dropLast() + #","text":"second","note":"n","note":"m"}"#
        let specimen = try read(String(twice))
        #expect(specimen.text == "t")
        #expect(specimen.note == "n")
    }

    @Test("Numbers in the forms that Foundation accepts")
    func numbers() throws {
        #expect(try read(document(["large": "1.0"])).large == 1)
        #expect(try read(document(["large": "12e2"])).large == 1200)
        #expect(try read(document(["large": "-0"])).large == 0)
        #expect(try read(document(["large": "9007199254740993.0"])).large == 9_007_199_254_740_993)
        #expect(try read(document(["ratio": "1e-400"])).ratio == 0)
        #expect(try read(document(["price": "1E-2"])).price == Decimal(string: "0.01"))
        expectError("large", document(["large": "1.5"]))
        expectError("large", document(["large": "9223372036854775808"]))
        expectError("large", document(["large": "1e99999999999"]))
        expectError("tiny", document(["tiny": "128"]))
        expectError("ratio", document(["ratio": "1e400"]))
        expectError("single", document(["single": "1e40"]))
        expectError("price", document(["price": "1e200"]))
    }

    @Test(
        "Text: escapes are undone; lone surrogates and bytes that are no UTF-8 are refused where read"
    )
    func text() throws {
        let escaped = #""\u00e9\ud83d\ude00\/\b\f\n\r\t\"\\""#
        #expect(try read(document(["text": escaped])).text == "é😀/\u{8}\u{c}\n\r\t\"\\")
        for text in [#""\ud800""#, #""\udc00""#, #""\ud800\ud800""#, #""\ud800x""#] {
            #expect(throws: RecordDecodingError.self) { try read(document(["text": text])) }
            #expect(try read(document(["other": text])).text == "t")
        }
        for bytes in [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82],
        ] as [[UInt8]] {
            var data = Data(document(["text": #""@""#]).utf8)
            let place = try #require(data.firstIndex(of: UInt8(ascii: "@")))
            data.replaceSubrange(place...place, with: bytes)
            #expect(throws: RecordDecodingError.self) {
                try transformer.decodeRecord(data, SpecimenMapper.self)
            }
        }
    }

    @Test("An error names the path, and tells another shape from broken bytes")
    func paths() {
        expectError(
            "shelves.1.row",
            document(["shelves": #"[{"room":"a","row":1},{"room":"b","row":"2"}]"#]))
        expectError("grid.1.0", document(["grid": "[[],[true]]"]))
        expectError("grid", document(["grid": "{}"]))
        expectError("days.x.0", document(["days": #"{"x":["y"]}"#]))
        expectError("loan.number", document(["loan": #"{"bookID":"a","number":null}"#]))
        expectError("status", document(["status": #""lost""#]))
        expectError("token", document(["token": #""00010203""#]))
        expectError("bytes", document(["bytes": #""a""#]))
        expectError("link", document(["link": #""""#]))
        expectError("", "[]")
        expectError("", mismatch: false, "")
        expectError("", mismatch: false, "{\"id\":\"a\"")
        expectError("", mismatch: false, document().replacing("\"t\"", with: "t"))
        expectError("", mismatch: false, document() + "x")
    }

    @Test("What a sensitive field holds stands in no error")
    func sensitive() {
        for value in ["300", #""topsecret""#, "[12345]", "1.2345"] {
            #expect {
                try read(document(["secret": value]))
            } throws: { error in
                let error = error as? RecordDecodingError
                let text = "\(error.map { "\($0)" } ?? "")"
                return error?.path == "secret" && !text.contains("300")
                    && !text.contains("topsecret") && !text.contains("2345")
            }
        }
    }

    @Test("Through the generic door, an entity's errors have the codes of items")
    func codes() async {
        for (json, code) in [
            ("[]", CRUDRepositoryError.Code.itemTypeMismatch),
            (document(["text": nil]), .itemTypeMismatch),
            ("{", .invalidRecord), ("", .invalidRecord),
        ] {
            #expect {
                let _: Specimen = try transformer.decode(data: Data(json.utf8))
            } throws: { error in
                (error as? CRUDRepositoryError)?.code == code
            }
        }
    }

    @Test("Numbers that are not finite are refused on writing, with their path")
    func notFinite() {
        var specimen = Specimen("s")
        specimen.prices = ["a": .nan]
        for transformer in [JSONDataTransformer(), XMLDataTransformer()] as [any RecordTransformer]
        {
            #expect {
                try transformer.encodeRecord(specimen, SpecimenMapper.self)
            } throws: { error in
                let error = error as? CRUDRepositoryError
                return error?.code == .invalidItem && error?.field == "prices.a"
            }
        }
    }
}
