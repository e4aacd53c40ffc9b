/// A condition as it was written, with the place of each of its characters.
public struct ConditionText: Sendable, Hashable {
    /// The text, as YAML unescapes and folds it.
    public var text: String
    /// The whole value in the file, quotes included.
    public var range: SourceRange
    /// The place of each Unicode scalar of the text; empty where it is not known.
    public var places: [SourcePosition]

    /// Makes a condition.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - range: The whole value in the file.
    ///   - places: The place of each Unicode scalar of the text; empty where it is not known.
    public init(_ text: String, at range: SourceRange, places: [SourcePosition] = []) {
        self.text = text
        self.range = range
        self.places = places
    }

    /// The place of a part of the text, counted in Unicode scalars; the whole value where it is not known.
    ///
    /// - Parameter part: The part; an empty one at the end stands for what is missing there.
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
