/// The source of a condition, with the position of each of its characters in the schema file.
public struct ConditionText: Sendable, Hashable {
    /// The condition, after YAML unescaping and folding.
    public var text: String
    /// The range of the whole value in the file, including quotes.
    public var range: SourceRange
    /// The position of each Unicode scalar of the text; empty if the positions are unknown.
    public var places: [SourcePosition]

    /// Creates a condition.
    ///
    /// - Parameters:
    ///   - text: The condition.
    ///   - range: The range of the whole value in the file.
    ///   - places: The position of each Unicode scalar of the text; empty if the positions are
    /// unknown.
    public init(_ text: String, at range: SourceRange, places: [SourcePosition] = []) {
        self.text = text
        self.range = range
        self.places = places
    }

    /// The range of a part of the text in the file; the range of the whole value if the positions
    /// are unknown.
    ///
    /// - Parameter part: The part, in Unicode scalars. An empty part at the end of the text marks a
    ///   missing token.
    public func range(of part: Range<Int>) -> SourceRange {
        guard let last = places.last else { return range }
        var result = range
        if part.lowerBound < places.count {
            result.start = places[part.lowerBound]
        } else {
            result.start = last
            result.start.column += 1
        }
        result.end = result.start
        if let end = places.prefix(part.upperBound).last, end >= result.start {
            result.end = end
            result.end.column += 1
        }
        return result
    }
}
