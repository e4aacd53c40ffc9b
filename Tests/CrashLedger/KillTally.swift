/// What was counted over many kills.
package struct KillTally: Sendable, CustomStringConvertible {
    package var kills = 0
    /// Processes of a server that were killed.
    package var backends = 0
    /// Writes that were acknowledged.
    package var acknowledged = 0
    /// Writes that were done although the program was killed before it could say so.
    package var unacknowledged = 0
    /// Kills before the first acknowledgement.
    package var early = 0
    package var lost = 0
    package var torn = 0
    package var half = 0
    /// What went wrong, in words.
    package var problems: [String] = []

    /// Nothing.
    package init() {}

    package var description: String {
        "\(kills) kills (\(early) before the first write), "
            + (backends > 0 ? "\(backends) backends killed, " : "")
            + "\(acknowledged) writes acknowledged, \(unacknowledged) done unacknowledged, lost "
            + "\(lost), torn \(torn), half \(half), problems \(problems.count)"
    }
}
