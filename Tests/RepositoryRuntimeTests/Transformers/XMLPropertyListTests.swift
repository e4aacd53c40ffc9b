import Foundation
import Generated
import RepositoryRuntime
import Testing

@Suite("XML property lists")
struct XMLPropertyListTests {
    private let transformer = XMLDataTransformer()

    private func document(_ body: String) -> Data {
        Data(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\(body)</plist>"
                .utf8)
    }

    @Test("An entity's document, line by line")
    func layout() throws {
        let client = Client(
            id: "c", name: "A & B\r\n", email: "a@b",
            joinedAt: Date(timeIntervalSinceReferenceDate: 0.6),
            address: Address(street: "S", city: "C"))
        let text = String(
            decoding: try transformer.encodeRecord(client, ClientMapper.self), as: UTF8.self)
        #expect(
            text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
                "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
                <plist version="1.0">
                <dict>
                \t<key>id</key>
                \t<string>c</string>
                \t<key>name</key>
                \t<string>A &amp; B&#13;
                </string>
                \t<key>email</key>
                \t<string>a@b</string>
                \t<key>joinedAt</key>
                \t<date>2001-01-01T00:00:01Z</date>
                \t<key>address</key>
                \t<dict>
                \t\t<key>street</key>
                \t\t<string>S</string>
                \t\t<key>city</key>
                \t\t<string>C</string>
                \t</dict>
                </dict>
                </plist>

                """)
    }

    @Test("Characters that XML lacks are unsupported, with the field's path")
    func unsupported() {
        for text in ["\u{1}", "abcdefgh\u{1f}", "\u{FFFE}", "x\u{FFFF}", "\u{0}"] {
            var specimen = Specimen("s")
            specimen.tags = ["a", text]
            expectUnsupported(specimen, "tags.1")
            specimen.tags = []
            specimen.prices = [text: 1]
            expectUnsupported(specimen, "prices.\(text)")
        }
        var specimen = Specimen("s")
        specimen.seen = Date(timeIntervalSinceReferenceDate: -64_000_000_000)
        expectUnsupported(specimen, "seen")
    }

    private func expectUnsupported(
        _ specimen: Specimen, _ path: String, _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(sourceLocation: location) {
            try transformer.encodeRecord(specimen, SpecimenMapper.self)
        } throws: { error in
            let error = error as? CRUDRepositoryError
            return error?.code == .unsupported && error?.field == path
        }
    }

    @Test("Other writers' ways of writing")
    func otherWriters() throws {
        func read<T: Decodable & Equatable>(
            _ body: String, _ value: T, _ location: SourceLocation = #_sourceLocation
        ) throws {
            let read: T = try transformer.decode(data: document(body))
            #expect(read == value, sourceLocation: location)
        }
        try read("<string>a&lt;&#65;&#x42;<![CDATA[<&]]>c<!-- d --></string>", "a<AB<&c")
        try read("<string/>", "")
        try read("<string></string>", "")
        try read("<!-- a --><array><!-- b --><string>x</string><!-- c --></array>", ["x"])
        try read("<array/>", [Int]())
        try read("<dict/>", [String: Int]())
        try read("<dict><key/><integer>1</integer></dict>", ["": 1])
        try read("<dict><key>a</key><!-- c --><integer>1</integer></dict>", ["a": 1])
        try read(
            "<dict><key>a</key><integer>1</integer><key>a</key><integer>2</integer></dict>",
            ["a": 2])
        try read("<integer> +7 </integer>", 7)
        try read("<integer>-0x1F</integer>", -31)
        try read("<integer>18446744073709551615</integer>", UInt64.max)
        try read("<real>+1.5</real>", 1.5)
        try read("<real>inf</real>", Double.infinity)
        try read("<integer>3</integer>", 3.0)
        try read("<real>3</real>", 3)
        try read("<true></true>", true)
        try read("<data>\n\tAQ\n\tID\n</data>", Data([1, 2, 3]))
        try read(
            "<date>1500-01-01T00:00:00Z</date>",
            Date(timeIntervalSinceReferenceDate: -15_809_299_200))
        let bare: [String] = try transformer.decode(
            data: Data("<array><string>x</string></array>".utf8))
        #expect(bare == ["x"])
    }

    @Test(
        "What is no property list is refused",
        arguments: [
            "", "<", "<a/>", "<string>", "<string>a</strong>", "<array><string>a</array>",
            "<dict><string>a</string></dict>", "<dict><key>a</key></dict>", "<integer></integer>",
            "<integer>x</integer>", "<real>x</real>", "<real>1e+340</real>", "<real>-1e999</real>",
            "<date>2001</date>", "<data>?</data>",
            "<true>",
            "<string>&nbsp;</string>", "<string>a</string><string>b</string>", "text",
            "<array>text</array>",
        ])
    func malformed(_ body: String) {
        #expect {
            let _: AnyValue = try transformer.decode(data: document(body))
        } throws: { error in
            (error as? CRUDRepositoryError)?.code == .invalidRecord
        }
    }
}
