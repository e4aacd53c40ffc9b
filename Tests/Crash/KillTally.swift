/// What was counted over many kills.
struct KillTally: Sendable, CustomStringConvertible {
    var kills = 0
    /// Writes that were acknowledged.
    var acknowledged = 0
    /// Writes that were on the disk although the program was killed before it could say so.
    var unacknowledged = 0
    /// Kills before the first acknowledgement.
    var early = 0
    var lost = 0
    var torn = 0
    var half = 0
    /// What went wrong, in words.
    var problems: [String] = []

    var description: String {
        "\(kills) kills (\(early) before the first write), \(acknowledged) writes acknowledged, "
            + "\(unacknowledged) done unacknowledged, lost \(lost), torn \(torn), half \(half)"
    }
}
