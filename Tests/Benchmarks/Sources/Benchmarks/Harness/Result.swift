import Foundation

/// The medians of a line, each for one operation.
struct Result: Encodable {
    let workload: String
    let unit: String
    let ours: Double
    let limit: Double?
    let limitName: String?
    let peer: Double?
    let peerName: String?

    private enum CodingKeys: String, CodingKey {
        case workload, unit, ours, limit, limitName, peer, peerName
    }

    /// Writes null where there is no limit or no peer.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(workload, forKey: .workload)
        try container.encode(unit, forKey: .unit)
        try container.encode(ours, forKey: .ours)
        try container.encode(limit, forKey: .limit)
        try container.encode(limitName, forKey: .limitName)
        try container.encode(peer, forKey: .peer)
        try container.encode(peerName, forKey: .peerName)
    }

    /// What heads the table.
    static let head = """
        | workload | ours | limit | peer | ours/limit | peer/ours |
        |---|---|---|---|---|---|
        """

    /// The line of the table.
    var line: String {
        let cells = [
            workload, "\(Self.text(ours)) \(unit)", cell(limit, limitName), cell(peer, peerName),
            limit.map { Self.text(ours / $0) + "×" } ?? "—",
            peer.map { Self.text($0 / ours) + "×" } ?? "—",
        ]
        return "| \(cells.joined(separator: " | ")) |"
    }

    private func cell(_ value: Double?, _ name: String?) -> String {
        guard let value, let name else { return "—" }
        return "\(name) \(Self.text(value)) \(unit)"
    }

    /// Three digits that mean something.
    private static func text(_ value: Double) -> String {
        // Of very short times two digits, of nothing at all none.
        let digits = [100, 10, 0.1, 0.01].firstIndex { value >= $0 } ?? (value == 0 ? 2 : 4)
        return String(format: "%.\(digits)f", value)
    }
}
