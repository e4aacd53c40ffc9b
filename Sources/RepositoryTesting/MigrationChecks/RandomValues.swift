internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema

/// Random values of stored types. Equal seeds give equal values.
struct RandomValues {
    /// The type that a later version converts values to, which strings should often fit.
    struct Hint: Sendable {
        /// The new type.
        let shape: StoredShape
        /// The cases of the new enum.
        let cases: [String]?
    }

    /// The source of random numbers.
    var source: SeededGenerator
    /// Whether dates are whole seconds, because the store has no fractions.
    let hasWholeSeconds: Bool

    /// Returns a value of a field; nil if none was found that its rules allow.
    mutating func value(of field: StoredField, hints: [Hint]) -> StoredValue? {
        if field.isOptional, source.once(in: 4) { return .null }
        return value(
            field.type, cases: field.cases, rules: field.rules, hints: hints,
            isExact: field.storedAs == nil)
    }

    /// Returns a value of a type.
    ///
    /// - Parameters:
    ///   - shape: the type.
    ///   - cases: the cases of the enum in it.
    ///   - rules: the rules.
    ///   - hints: what later versions convert the value to.
    ///   - isExact: whether the store keeps fractions of seconds and all digits.
    private mutating func value(
        _ shape: StoredShape, cases: [String]?, rules: StoredRules? = nil, hints: [Hint] = [],
        isExact: Bool = true
    ) -> StoredValue? {
        switch shape {
        case .single(let name):
            guard let cases else { return single(name, rules, hints, isExact) }
            if cases.isEmpty { return nil }
            let text = source.one(of: cases)
            return name == "text" ? .text(text) : Int64(text).map(StoredValue.integer)
        case .composite(let members), .object(let members): return object(members, hints)
        case .list(let element, let isOptional):
            let least = rules?.minLength ?? 0
            var elements: [StoredValue] = []
            for _
                in 0..<Int.random(
                    in: least...max(least, min(rules?.maxLength ?? 3, least + 3)), using: &source)
            {
                guard
                    let element = isOptional && source.once(in: 4)
                        ? .null : value(element, cases: cases, hints: hints)
                else { return nil }
                elements.append(element)
            }
            return .list(elements)
        case .map(let element, let isOptional):
            var values: [String: StoredValue] = [:]
            for _ in 0..<Int.random(in: 0...3, using: &source) {
                guard
                    let value = isOptional && source.once(in: 4)
                        ? .null : value(element, cases: cases, hints: hints)
                else { return nil }
                values[source.one(of: ["a", "b key", "ü", "1"])] = value
            }
            return .object(values)
        }
    }

    /// Returns an embedded value. A union has exactly one member: its members are optional embedded
    /// values.
    private mutating func object(_ members: [StoredMember], _ hints: [Hint]) -> StoredValue? {
        let isUnion =
            !members.isEmpty
            && members.allSatisfy { member in
                if case .object = member.type { member.isOptional } else { false }
            }
        var values: [String: StoredValue] = [:]
        for member in isUnion ? [source.one(of: members)] : members {
            if !isUnion, member.isOptional, source.once(in: 4) { continue }
            guard let value = value(member.type, cases: member.cases, hints: hints) else {
                return nil
            }
            values[member.name] = value
        }
        return .object(values)
    }

    private mutating func single(
        _ type: String, _ rules: StoredRules?, _ hints: [Hint], _ isExact: Bool
    ) -> StoredValue? {
        switch type {
        case "bool": return .bool(source.once(in: 2))
        case "text": return text(rules, hints)
        case "url": return .text("https://example.org/\(Int.random(in: 0...99, using: &source))")
        case "localDate": return .text(day(rules).description)
        case "externalData":
            let bytes = Data([UInt8.random(in: 0...255, using: &source)])
            return .text(ExternalData(bytes).description)
        case "uuid": return .uuid(uuid())
        case "data": return data(rules)
        case "date": return .date(date(rules, isExact))
        case "float":
            return .double(Double(Float(number(rules, smallest: 0.125))))
        case "double": return .double(number(rules, smallest: source.once(in: 4) ? 0.1 : 0.125))
        default: break
        }
        if type.hasPrefix("decimal") {
            let scale = Int(type.dropFirst("decimal(".count).dropLast())
            return decimal(scale ?? Int.random(in: 0...4, using: &source), rules)
        }
        return integer(type, rules).map(StoredValue.integer)
    }

    // MARK: Numbers and dates

    private mutating func integer(_ type: String, _ rules: StoredRules?) -> Int64? {
        guard let width = Int(type.drop { !$0.isNumber }) else { return nil }
        let isSigned = !type.hasPrefix("u")
        let high = isSigned ? Int64.max >> (64 - width) : Int64(1) << width - 1
        var range = (isSigned ? -high - 1 : 0)...high
        if case .integer(let minimum)? = rules?.minimum {
            range = range.clamped(to: minimum...high)
        }
        if case .integer(let maximum)? = rules?.maximum {
            range = range.clamped(to: (-high - 1)...maximum)
        }
        let near =
            switch source.one(of: [0, 0, 0, 1, 1, 2]) {
            case 0: Int64(0)...9
            case 1: Int64(-100_000)...1_000_000
            default: range
            }
        return Int64.random(
            in: range.overlaps(near) ? range.clamped(to: near) : range, using: &source)
    }

    private mutating func number(_ rules: StoredRules?, smallest: Double) -> Double {
        let number = Double(Int.random(in: -800...8_000, using: &source)) * smallest
        let (minimum, maximum) = (rules?.minimum?.number, rules?.maximum?.number)
        if let minimum, number < minimum {
            let other = minimum + abs(number)
            return maximum.map { min($0, other) } ?? other
        }
        return maximum.map { min($0, number) } ?? number
    }

    private mutating func decimal(_ scale: Int, _ rules: StoredRules?) -> StoredValue? {
        func bound(_ constant: StoredConstant?) -> Decimal? {
            guard case .decimal(let number)? = constant.map({ StoredValue($0) }) else { return nil }
            return number
        }
        let (minimum, maximum) = (bound(rules?.minimum), bound(rules?.maximum))
        for _ in 0..<20 {
            let most: Int64 = source.one(of: [99, 9_999, 9_999_999])
            let integer = Int64.random(in: -most...most, using: &source)
            var number = StoredDecimal.decimal(scaledInteger: integer, scale: scale)
            if let minimum, number < minimum { number = minimum + abs(number) }
            if let maximum, number > maximum { number = maximum - abs(number) }
            if minimum.map({ number < $0 }) == true || maximum.map({ number > $0 }) == true {
                continue
            }
            return .decimal(number)
        }
        return (minimum ?? maximum).map(StoredValue.decimal)
    }

    private mutating func date(_ rules: StoredRules?, _ isExact: Bool) -> Date {
        var range = Int64(0)...4_000_000_000
        func bound(_ constant: StoredConstant?) -> Int64? {
            guard case .date(let microseconds)? = constant else { return nil }
            return microseconds / 1_000_000
        }
        if let minimum = bound(rules?.minimum) {
            range = minimum + 1...max(minimum + 1, range.upperBound)
        }
        if let maximum = bound(rules?.maximum) {
            range = min(range.lowerBound, maximum - 1)...maximum - 1
        }
        let seconds = Int64.random(in: range, using: &source)
        let isWhole = hasWholeSeconds || !isExact || source.once(in: 2)
        let rest = isWhole ? 0 : Int64.random(in: 0..<1_000_000, using: &source)
        return StoredDate.date(microseconds: seconds * 1_000_000 + rest)
    }

    /// Returns a day within the bounds of a field.
    private mutating func day(_ rules: StoredRules?) -> LocalDate {
        func bound(_ constant: StoredConstant?) -> LocalDate? {
            guard case .text(let text)? = constant else { return nil }
            return LocalDate(text)
        }
        let (first, last) = (bound(rules?.minimum) ?? .min, bound(rules?.maximum) ?? .max)
        let count = max(0, first.days(until: last))
        let days =
            source.once(in: 4)
            ? source.one(of: [0, count]) : Int.random(in: 0...count, using: &source)
        return first.adding(days: days) ?? first
    }

    private mutating func uuid() -> UUID {
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) { bytes in
            for index in bytes.indices { bytes[index] = UInt8.random(in: 0...255, using: &source) }
        }
        return UUID(uuid: bytes)
    }

    // MARK: Strings and data

    private mutating func data(_ rules: StoredRules?) -> StoredValue {
        let least = rules?.minLength ?? 0
        let count = Int.random(
            in: least...max(least, min(rules?.maxLength ?? 8, least + 8)), using: &source)
        return .data(Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &source) }))
    }

    private mutating func text(_ rules: StoredRules?, _ hints: [Hint]) -> StoredValue? {
        if let pattern = rules?.pattern {
            for _ in 0..<20 {
                guard let text = RandomText.matching(pattern, using: &source) else { return nil }
                let length = text.unicodeScalars.count
                if length >= rules?.minLength ?? 0, length <= rules?.maxLength ?? .max {
                    return .text(text)
                }
            }
            return nil
        }
        var text = word(hints)
        if let most = rules?.maxLength, text.unicodeScalars.count > most {
            text = String(String.UnicodeScalarView(text.unicodeScalars.prefix(most)))
        }
        if let least = rules?.minLength {
            let count = text.unicodeScalars.count
            if count < least { text += String(repeating: "x", count: least - count) }
        }
        return .text(text)
    }

    private mutating func word(_ hints: [Hint]) -> String {
        if !hints.isEmpty, !source.once(in: 8) {
            let hint = source.one(of: hints)
            if let cases = hint.cases, !cases.isEmpty { return source.one(of: cases) }
            if let value = value(hint.shape.innermost, cases: nil),
                case .text(let text)? = ModelConversion.converted(
                    value, to: .single("text"), isOptional: false, cases: nil)
            {
                return text
            }
        }
        switch Int.random(in: 0..<8, using: &source) {
        case 0...3: return source.one(of: Self.words)
        case 4: return "\(Int.random(in: -5...500, using: &source))"
        case 5: return source.one(of: Self.words) + " \(Int.random(in: 0...999, using: &source))"
        default: return "word \(Int.random(in: 0...1_000_000, using: &source))"
        }
    }

    /// Words that occur often, so that indexes find several records.
    private static let words = [
        "", "a", "A", "b", "Zoë", "Zoe\u{308}", "O'Brien", "ﬁ", "日本", "🧭", "null", "a,b%c",
        "x\"y\\z",
    ]
}

extension StoredConstant {
    /// The number; nil for other types.
    fileprivate var number: Double? {
        switch self {
        case .double(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
    }
}

extension StoredShape {
    /// The type of the elements of a list or map, or the type itself.
    fileprivate var innermost: StoredShape {
        switch self {
        case .list(let element, _), .map(let element, _): element.innermost
        case .single, .object, .composite: self
        }
    }
}
