internal import Foundation

extension KeyedArchive {
    /// Returns the value of an object that consists of standard classes only.
    ///
    /// - Throws: ``CoreDataFileError`` with kind `unknown` and the name of another class; with kind
    ///   `damaged` for cycles and damaged objects.
    func plain(_ number: Int) throws(CoreDataFileError) -> PlainValue {
        var budget = PlainBudget(byteCount: byteCount)
        var open: Set<Int> = []
        return try plain(number, &budget, &open)
    }

    private func plain(
        _ number: Int, _ budget: inout PlainBudget, _ open: inout Set<Int>
    ) throws(CoreDataFileError) -> PlainValue {
        try budget.enter()
        defer { budget.leave() }
        switch try value(number) {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(value)
        case .double(let value): return .double(value)
        case .date(let value): return .date(value)
        case .data(let value): return .data(value)
        case .string(let value): return .string(value)
        case .list(let numbers): return .list(try plain(numbers, &budget, &open))
        case .object(let object):
            guard open.insert(object.number).inserted else {
                throw CoreDataFileError(.damaged, "cycle")
            }
            defer { open.remove(object.number) }
            return try plain(object, number, &budget, &open)
        }
    }

    private func plain(
        _ numbers: [Int], _ budget: inout PlainBudget, _ open: inout Set<Int>
    ) throws(CoreDataFileError) -> [PlainValue] {
        var found: [PlainValue] = []
        for number in numbers { found.append(try plain(number, &budget, &open)) }
        return found
    }

    private func plain(
        _ object: Object, _ number: Int, _ budget: inout PlainBudget, _ open: inout Set<Int>
    ) throws(CoreDataFileError) -> PlainValue {
        let className = object.className ?? "?"
        let unknown = CoreDataFileError(.unknown, className)
        switch className {
        case "NSString", "NSMutableString":
            return try string(number).map { .string($0) } ?? .null
        case "NSArray", "NSMutableArray", "NSOrderedSet", "NSMutableOrderedSet":
            return .list(try plain(try items(number), &budget, &open))
        case "NSSet", "NSMutableSet", "NSCountedSet":
            return .set(try plain(try items(number), &budget, &open))
        case "NSDictionary", "NSMutableDictionary":
            var keys: [Int] = []
            if let member = object.members["NS.keys"], case .list(let found) = try value(member) {
                keys = found
            }
            let names = try plain(keys, &budget, &open)
            let values = try plain(try items(number), &budget, &open)
            return .dictionary(zip(names, values).map { PlainPair(key: $0, value: $1) })
        case "NSData", "NSMutableData":
            guard let member = object.members["NS.data"] ?? object.members["NS.bytes"] else {
                return .data(Data())
            }
            if case .data(let data) = try value(member) { return .data(data) }
            guard let inner = try self.object(member)?.members["NS.data"],
                case .data(let data) = try value(inner)
            else { throw unknown }
            return .data(data)
        case "NSDate":
            guard let member = object.members["NS.time"] else { throw unknown }
            switch try value(member) {
            case .double(let seconds): return .date(seconds)
            case .integer(let seconds): return .date(Double(seconds))
            default: throw unknown
            }
        case "NSUUID":
            guard let member = object.members["NS.uuidbytes"],
                case .data(let data) = try value(member), let uuid = UUID(bytes: data)
            else { throw unknown }
            return .uuid(uuid)
        case "NSURL":
            guard let text = try string(object.members["NS.relative"]) else { throw unknown }
            guard let base = object.members["NS.base"] else { return .url(text, base: nil) }
            let outer = try plain(base, &budget, &open)
            return .url(text, base: outer == .null ? nil : outer)
        case "NSNull": return .null
        case "NSDecimalNumber", "NSDecimalNumberPlaceholder": return .decimal(try decimal(object))
        case "NSNumber":
            for key in ["NS.intval", "NS.dblval", "NS.boolval"] {
                if let member = object.members[key] { return try plain(member, &budget, &open) }
            }
            throw unknown
        default: throw unknown
        }
    }

    /// Returns the digits of an `NSDecimalNumber`: a mantissa in words of 16 bits, and an exponent.
    private func decimal(_ object: Object) throws(CoreDataFileError) -> String {
        let unknown = CoreDataFileError(.unknown, "NSDecimalNumber")
        guard let member = object.members["NS.mantissa"], case .data(let data) = try value(member),
            data.count <= 16
        else { throw unknown }
        let isNegative = try isTrue(object.members["NS.negative"])
        let isLittle = (try integer(object.members["NS.mantissa.bo"]) ?? 1) == 1
        let bytes = Array(data)
        var words = (0..<bytes.count / 2).map { index in
            let (one, other) = (UInt128(bytes[2 * index]), UInt128(bytes[2 * index + 1]))
            return isLittle ? other << 8 | one : one << 8 | other
        }
        let length = try integer(object.members["NS.length"]) ?? words.count
        if length == 0, isNegative { return "NaN" }
        words = Array(words.prefix(max(0, length)))
        let mantissa = words.reversed().reduce(UInt128(0)) { $0 << 16 | $1 }
        let exponent = try integer(object.members["NS.exponent"]) ?? 0
        guard (-200...200).contains(exponent) else { throw unknown }
        var digits = String(mantissa)
        if exponent >= 0 {
            if mantissa != 0 { digits += String(repeating: "0", count: exponent) }
        } else {
            digits = String(repeating: "0", count: max(0, 1 - exponent - digits.count)) + digits
            digits.insert(".", at: digits.index(digits.endIndex, offsetBy: exponent))
        }
        return (isNegative ? "-" : "") + digits
    }
}

extension UUID {
    /// Creates a UUID from its 16 bytes; `nil` if there are others.
    init?(bytes: Data) {
        guard bytes.count == 16 else { return nil }
        let b = Array(bytes)
        self.init(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12],
                b[13], b[14], b[15]
            ))
    }
}
