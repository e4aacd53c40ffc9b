internal import RepositoryRuntime

/// A part of a shape, which a sequence of schemas exchanges for another one.
protocol ShapePart: Sendable {
    /// What the fields of the part mean, in their order.
    static var meanings: [String] { get }
    /// Adds the fields.
    static func add(to table: inout EntityTable)
}

/// A shape of three parts that change independently of each other.
enum PartedShape<Names: ShapePart, Count: ShapePart, Index: ShapePart>: Shape {
    static var table: EntityTable {
        Shapes.things { table in
            table.field("size", .int64)
            Names.add(to: &table)
            Count.add(to: &table)
            Index.add(to: &table)
        }
    }
}

/// How a text that is first called `a` is renamed, and its names used for other fields.
enum NameParts {
    /// The text is `a`.
    enum First: ShapePart {
        static let meanings = ["text"]
        static func add(to table: inout EntityTable) { table.field("a", .text) }
    }

    /// It is `b`.
    enum Renamed: ShapePart {
        static let meanings = ["text"]
        static func add(to table: inout EntityTable) { addRenamed(to: &table) }
    }

    /// It is `a` again.
    enum Back: ShapePart {
        static let meanings = ["text"]
        static func add(to table: inout EntityTable) {
            table.field("a", .text, renamedFrom: ["b"], columnsRenamedFrom: ["b"])
        }
    }

    /// It is `b`, and `a` is another field.
    enum Reused: ShapePart {
        static let meanings = ["text", "other"]
        static func add(to table: inout EntityTable) {
            addRenamed(to: &table)
            table.field("a", .text, optional: true)
        }
    }

    /// The same, and nothing says any more that `b` was `a`.
    enum Forgotten: ShapePart {
        static let meanings = ["text", "other"]
        static func add(to table: inout EntityTable) {
            table.field("b", .text)
            table.field("a", .text, optional: true)
        }
    }

    /// It is `c`.
    enum Again: ShapePart {
        static let meanings = ["text", "other"]
        static func add(to table: inout EntityTable) {
            table.field("c", .text, renamedFrom: ["b"], columnsRenamedFrom: ["b"])
            table.field("a", .text, optional: true)
        }
    }

    private static func addRenamed(to table: inout EntityTable) {
        table.field("b", .text, renamedFrom: ["a"], columnsRenamedFrom: ["a"])
    }

    /// The parts that can follow a part.
    static func next(_ part: any ShapePart.Type) -> [any ShapePart.Type] {
        if part == First.self { return [First.self, Renamed.self] }
        if part == Renamed.self { return [Renamed.self, Reused.self, Back.self] }
        if part == Back.self { return [Back.self, Renamed.self] }
        if part == Reused.self { return [Reused.self, Forgotten.self, Again.self] }
        if part == Forgotten.self { return [Forgotten.self, Reused.self, Again.self] }
        return [Again.self]
    }
}

/// How a number with a default is added, and its default changed.
enum CountParts {
    /// There is none.
    enum None: ShapePart {
        static let meanings: [String] = []
        static func add(to table: inout EntityTable) {}
    }

    /// Its default is 1.
    enum One: ShapePart {
        static let meanings = ["count"]
        static func add(to table: inout EntityTable) {
            table.field("count", .int64, default: .integer(1))
        }
    }

    /// Its default is 5.
    enum Five: ShapePart {
        static let meanings = ["count"]
        static func add(to table: inout EntityTable) {
            table.field("count", .int64, default: .integer(5))
        }
    }

    /// It is optional.
    enum Optional: ShapePart {
        static let meanings = ["count"]
        static func add(to table: inout EntityTable) {
            table.field("count", .int64, optional: true)
        }
    }

    /// The parts that can follow a part.
    static func next(_ part: any ShapePart.Type) -> [any ShapePart.Type] {
        if part == None.self { return [None.self, One.self, Five.self] }
        if part == One.self { return [One.self, Five.self, Optional.self] }
        if part == Five.self { return [Five.self, One.self, Optional.self] }
        return [Optional.self]
    }

    /// The value of records that were stored before the part.
    static func initial(_ part: any ShapePart.Type) -> StoredValue? {
        if part == One.self { return .integer(1) }
        if part == Five.self { return .integer(5) }
        return nil
    }
}

/// An index that comes and goes.
enum IndexParts {
    /// There is none.
    enum None: ShapePart {
        static let meanings: [String] = []
        static func add(to table: inout EntityTable) {}
    }

    /// The index is there.
    enum Size: ShapePart {
        static let meanings: [String] = []
        static func add(to table: inout EntityTable) { table.index("things_size", ["size"]) }
    }

    /// All of them, each of which can follow any.
    static let all: [any ShapePart.Type] = [None.self, Size.self]
}

/// One schema of a sequence.
struct PartedSchema: Sendable {
    var names: any ShapePart.Type = NameParts.First.self
    var count: any ShapePart.Type = CountParts.None.self
    var index: any ShapePart.Type = IndexParts.None.self

    /// What the fields of the table mean, in their order.
    var meanings: [String] { ["size"] + names.meanings + count.meanings }

    /// The shape.
    var shape: any Shape.Type { Self.shape(names, count, index) }

    private static func shape<N: ShapePart, C: ShapePart, I: ShapePart>(
        _ names: N.Type, _ count: C.Type, _ index: I.Type
    ) -> any Shape.Type { PartedShape<N, C, I>.self }

    /// A schema that can follow.
    func next(_ random: inout SeededGenerator) -> PartedSchema {
        PartedSchema(
            names: random.one(of: NameParts.next(names)),
            count: random.one(of: CountParts.next(count)), index: random.one(of: IndexParts.all))
    }
}
