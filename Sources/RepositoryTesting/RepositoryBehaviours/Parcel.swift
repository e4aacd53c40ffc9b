internal import Foundation

/// A typical user-defined item: a struct with synthesized `Codable`, independent of the runtime.
struct Parcel: Codable, Hashable, Sendable {
    enum State: String, Codable { case packed, sent }

    struct Address: Codable, Hashable {
        var street: String
        var number: Int?
    }

    var sender = "somebody"
    var weight = 1.5
    var pieces = 1
    var isFragile = false
    var state = State.packed
    var address: Address?
    var labels: [String] = []
    var prices: [String: Double] = [:]
    var moment = Date(timeIntervalSince1970: 1_709_208_000)
    var picture = Data()
    var link: URL?
    var code: UUID?

    /// A parcel with a value in every field.
    static let full = Parcel(
        sender: "Zoë \"Z\" <z@example.org>\n", weight: 0.1, pieces: .max, isFragile: true,
        state: .sent, address: Address(street: "", number: -1), labels: ["b", "", "a"],
        prices: ["x": 0.1, "": 2], moment: Date(timeIntervalSince1970: -86_400),
        picture: Data(0...255), link: URL(string: "https://example.org/?q=%20#x"),
        code: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
}

/// An item that cannot be encoded.
struct Unwritable: Codable, Sendable {
    struct Refusal: Error {}

    init() {}

    init(from decoder: any Decoder) throws {}

    func encode(to encoder: any Encoder) throws { throw Refusal() }
}
