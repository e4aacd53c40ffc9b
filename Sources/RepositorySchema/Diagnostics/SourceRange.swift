/// A place in a text file. Lines and columns count from 1; a column counts Unicode scalars.
public struct SourcePosition: Sendable, Hashable, Comparable {
    /// The line, from 1.
    public var line: Int
    /// The column, from 1, in Unicode scalars.
    public var column: Int

    /// Makes a position from a line and a column, both from 1.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The first position of a file.
    public static let start = SourcePosition(line: 1, column: 1)

    /// The order of reading: by line, then by column.
    public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// A stretch of one file, from `start` up to and without `end`.
public struct SourceRange: Sendable, Hashable {
    /// The file's path as the user gave it, relative to the schema folder's parent.
    public var path: String
    /// Where the stretch begins.
    public var start: SourcePosition
    /// The position just after the stretch.
    public var end: SourcePosition

    /// Makes a range in the file at `path`.
    public init(path: String, start: SourcePosition, end: SourcePosition) {
        self.path = path
        self.start = start
        self.end = end
    }
}

/// A value together with the place where the user wrote it.
public struct Located<Value: Sendable>: Sendable {
    /// What was written.
    public var value: Value
    /// Where it was written.
    public var range: SourceRange

    /// Makes a located value.
    public init(_ value: Value, at range: SourceRange) {
        self.value = value
        self.range = range
    }
}

extension Located: Equatable where Value: Equatable {}
extension Located: Hashable where Value: Hashable {}
