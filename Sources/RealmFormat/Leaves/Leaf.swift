/// The values of a leaf of a B+-tree, or of a column for the rows of a cluster. They are decoded one
/// at a time.
enum Leaf {
    case integers(IntegerArray)
    /// The first element is the value that is null in this leaf.
    case nullableIntegers(IntegerArray)
    /// 3 is null.
    case bools(IntegerArray)
    /// The way of formats up to 9.
    indirect case oldBools(Leaf)
    case strings(StringLeaf)
    case enumerated(IntegerArray, [RealmValue])
    case binaries(StringLeaf)
    case floats(Words)
    case doubles(Words)
    /// The seconds have a first element that is null.
    case dates(seconds: IntegerArray, nanoseconds: IntegerArray)
    indirect case oldDates(Leaf)
    case decimals(Words, isZero: Bool)
    case objectIDs(FixedValues)
    case uuids(FixedValues)
    case mixed(MixedLeaf)
    /// The keys of the targets + 1.
    case links(IntegerArray, target: UInt32?)
    /// The keys of the targets.
    case keys(IntegerArray, target: UInt32?)
    case typedLinks(IntegerArray)

    /// Opens a leaf.
    ///
    /// - Parameters:
    ///   - node: the root of the leaf.
    ///   - property: what the values are.
    ///   - isElement: whether the values are elements of a collection.
    ///   - depth: the number of collections around the values.
    init(
        _ node: Node, _ property: RealmProperty, isElement: Bool = false, depth: Int = 0,
        _ reader: NodeReader
    ) throws(RealmFileError) {
        guard !node.isInner else {
            throw .damaged("node \(node.ref) is an inner node where a leaf is needed")
        }
        let isOld = reader.format < 10
        switch property.type {
        case .int:
            self = try Self.integers(node, property.isNullable, reader)
        case .bool where isOld:
            self = .oldBools(try Self.integers(node, property.isNullable, reader))
        case .bool:
            self = .bools(try reader.integers(node))
        case .string, .enumeratedString:
            self = try Self.strings(node, property, reader)
        case .binary:
            self = .binaries(try .blobs(node, isString: false, reader))
        case .oldDate:
            self = .oldDates(try Self.integers(node, property.isNullable, reader))
        case .date:
            let parts = try reader.refs(node)
            guard parts.count == 2 else {
                throw .damaged("node \(node.ref) is not a leaf of dates")
            }
            self = try Self.dates(
                seconds: reader.node(parts[ref: 0].asRef()),
                nanoseconds: reader.node(parts[ref: 1].asRef()), reader)
        case .float:
            self = .floats(try Words(node, width: 4, reader))
        case .double:
            self = .doubles(try Words(node, width: 8, reader))
        case .decimal:
            self = .decimals(try Words(decimals: node, reader), isZero: node.hasContext)
        case .objectID:
            self = .objectIDs(try FixedValues(node, size: 12, reader))
        case .uuid:
            self = .uuids(try FixedValues(node, size: 16, reader))
        case .mixed:
            self = .mixed(try MixedLeaf(node, depth: depth, reader))
        case .link where isElement:
            self = .keys(try reader.integers(node), target: property.target)
        case .link:
            self = .links(try reader.integers(node), target: property.target)
        case .typedLink:
            self = .typedLinks(try reader.integers(node))
        case .table, .linkList, .backlink:
            throw .damaged("node \(node.ref): a column of this type has no such leaf")
        }
    }

    private static func integers(
        _ node: Node, _ isNullable: Bool, _ reader: NodeReader
    ) throws(RealmFileError) -> Self {
        let integers = try reader.integers(node)
        guard isNullable else { return .integers(integers) }
        guard integers.count > 0 else {
            throw .damaged("node \(node.ref): nullable integers without their null value")
        }
        return .nullableIntegers(integers)
    }

    private static func strings(
        _ node: Node, _ property: RealmProperty, _ reader: NodeReader
    ) throws(RealmFileError) -> Self {
        if !node.hasRefs, node.widthType != .bytes {
            guard let values = property.enumeration else {
                throw .damaged("node \(node.ref): enumerated strings without their values")
            }
            return .enumerated(try reader.integers(node), values)
        }
        let isNullable = property.isNullable || reader.format >= 10
        return .strings(try .strings(node, isNullable: isNullable, reader))
    }

    /// Opens two leaves of integers as dates.
    static func dates(
        seconds: Node, nanoseconds: Node, _ reader: NodeReader
    ) throws(RealmFileError) -> Self {
        let (whole, rest) = (try reader.integers(seconds), try reader.integers(nanoseconds))
        guard whole.count == rest.count + 1 else {
            throw .damaged("node \(seconds.ref): seconds and nanoseconds differ in number")
        }
        return .dates(seconds: whole, nanoseconds: rest)
    }

    /// The number of values.
    var count: Int {
        switch self {
        case .integers(let array), .bools(let array), .links(let array, _), .keys(let array, _),
            .enumerated(let array, _):
            array.count
        case .nullableIntegers(let array): array.count - 1
        case .oldBools(let leaf), .oldDates(let leaf): leaf.count
        case .strings(let leaf), .binaries(let leaf): leaf.count
        case .floats(let words), .doubles(let words), .decimals(let words, _): words.count
        case .dates(_, let nanoseconds): nanoseconds.count
        case .objectIDs(let values), .uuids(let values): values.count
        case .mixed(let leaf): leaf.count
        case .typedLinks(let array): array.count / 2
        }
    }

    /// Decodes a value.
    ///
    /// - Returns: `nil` for an element of a collection that links to an object that does not exist.
    func value(at index: Int, _ reader: NodeReader) throws(RealmFileError) -> RealmValue? {
        switch self {
        case .integers(let array): return .int(array[index])
        case .nullableIntegers(let array):
            return array[index + 1] == array[0] ? .null : .int(array[index + 1])
        case .bools(let array): return array[index] == 3 ? .null : .bool(array[index] != 0)
        case .oldBools(let leaf):
            guard case .int(let number) = try leaf.value(at: index, reader) else { return .null }
            return .bool(number != 0)
        case .oldDates(let leaf):
            guard case .int(let number) = try leaf.value(at: index, reader) else { return .null }
            return try .date(number, 0)
        case .strings(let leaf): return .text(try leaf.bytes(at: index, reader))
        case .enumerated(let array, let values):
            guard array[index] >= 0, array[index] < Int64(values.count) else {
                throw .damaged("the number of an enumerated string is out of range")
            }
            return values[Int(array[index])]
        case .binaries(let leaf): return .data(try leaf.bytes(at: index, reader))
        case .floats(let words): return .float(bits: words.load(index))
        case .doubles(let words): return .double(bits: words.load(index))
        case .dates(let seconds, let nanoseconds):
            guard seconds[index + 1] != seconds[0] else { return .null }
            return try .date(seconds[index + 1], nanoseconds[index])
        case .decimals(let words, let isZero): return words.decimal(index, isZero: isZero)
        case .objectIDs(let values):
            return values[index].map { .objectID(RealmObjectID($0)) } ?? .null
        case .uuids(let values): return values[index].map { .uuid(RealmUUID($0)) } ?? .null
        case .mixed(let leaf): return try leaf.value(at: index, reader)
        case .links(let array, let target):
            let key = array[index]
            return key <= 0 ? .null : .link(RealmLink(table: target, key: key - 1))
        case .keys(let array, let target):
            return array[index] < 0 ? nil : .link(RealmLink(table: target, key: array[index]))
        case .typedLinks(let array):
            let (table, key) = (array[2 * index], array[2 * index + 1])
            guard table != 0, key > 0 else { return .null }
            return .link(
                RealmLink(
                    table: UInt32(truncatingIfNeeded: (table &- 1) & 0x7FFF_FFFF), key: key - 1))
        }
    }
}
