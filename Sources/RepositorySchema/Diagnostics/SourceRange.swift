/// A position in a text file. Lines and columns are 1-based; a column counts Unicode scalars.
public struct SourcePosition: Sendable, Hashable, Comparable {
    /// The line, from 1.
    public var line: Int
    /// The column, from 1, in Unicode scalars.
    public var column: Int

    /// Creates a position from a line and a column, both from 1.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The first position of a file.
    public static let start = SourcePosition(line: 1, column: 1)

    /// The reading order: by line, then by column.
    public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// A half-open range in a file, from `start` up to but not including `end`.
public struct SourceRange: Sendable, Hashable {
    /// The path of the file as passed by the user, relative to the parent of the schema folder.
    public var path: String
    /// The first position of the range.
    public var start: SourcePosition
    /// The position after the range.
    public var end: SourcePosition

    /// Creates a range in the file at `path`.
    public init(path: String, start: SourcePosition, end: SourcePosition) {
        self.path = path
        self.start = start
        self.end = end
    }
}

/// A value with its location in the schema file.
public struct Located<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value
    /// The location.
    public var range: SourceRange

    /// Creates a located value.
    public init(_ value: Value, at range: SourceRange) {
        self.value = value
        self.range = range
    }
}

extension Located: Equatable where Value: Equatable {}
extension Located: Hashable where Value: Hashable {}
