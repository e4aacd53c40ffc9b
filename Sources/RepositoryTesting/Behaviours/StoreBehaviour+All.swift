extension StoreBehaviour {
    /// Every behaviour, by area.
    public static let all: [StoreBehaviour] =
        records + ids + listing + finders + versions
}
