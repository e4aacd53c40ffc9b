import Foundation
import Testing

@testable import repository_generator

/// What `inspect` prints.
@Suite("inspect")
struct InspectTests {
    private static let files = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "RealmFormat/Files")

    @Test("prints the classes of a Realm file, their objects and the next command")
    func realm() throws {
        let shop = try Workshop([:])
        let path = Self.files.appending(path: "20-migration-v5.realm").path
        #expect(shop.tool().inspect(path) == .success)
        let lines = shop.output.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "\"\(path)\": Realm, file format 20, 4,096 bytes, schema version 5",
                "Address: 1 embedded object", "  street  String", "  city    String",
                "Person: 3 objects", "  fullName  String", "  age       Int",
                "  address   Address?", "  pets      List<Pet>", "Pet: 4 objects",
                "  name  String", "  kind  Int", "Not of the app: metadata",
                "Next: repository-generator import realm:\(path)",
            ])
    }

    @Test("prints one JSON object")
    func json() throws {
        let shop = try Workshop([:])
        let path = Self.files.appending(path: "10-ios-alltypes-encrypted.realm").path
        let key = [UInt8](repeating: 1, count: 64)
        #expect(shop.tool().inspect(path, key: key, asJSON: true) == .success)
        let json = try JSONSerialization.jsonObject(with: Data(shop.output.utf8))
        let file = try #require(json as? [String: Any])
        #expect(file["kind"] as? String == "Realm" && file["format"] as? Int == 10)
        #expect(file["isEncrypted"] as? Bool == true)
        let tables = try #require(file["tables"] as? [[String: Any]])
        #expect(tables.compactMap { $0["count"] as? Int } == [1, 0])
    }

    @Test("is one error where a file is damaged, encrypted or of no known kind")
    func problems() throws {
        let shop = try Workshop([:])
        for (name, reason) in [
            ("hostile-mixed-place", "the place of a mixed value is out of range"),
            ("10-ios-alltypes-encrypted", "encrypted and no key was given ('--key')"),
            ("no-such-file", "cannot be read: "),
        ] {
            shop.forget()
            let path = Self.files.appending(path: "\(name).realm").path
            #expect(shop.tool().inspect(path) == .unreadable)
            #expect(shop.output.isEmpty)
            #expect(shop.complaints.contains(reason), "\(shop.complaints)")
        }
        shop.forget()
        #expect(shop.tool().inspect(#filePath) == .unreadable)
        #expect(shop.complaints.contains("is of no known kind"))
    }

    @Test("reads keys in hexadecimal digits")
    func keys() {
        #expect(KeyOption.bytes("00fF") == [0, 255])
        for text in ["", "0", "0g", "0x00"] { #expect(KeyOption.bytes(text) == nil, "\(text)") }
    }
}
