internal import CSQLite

/// What the values of a column have in common. Each value of the table is looked at once.
struct ColumnFacts {
    private(set) var nulls = 0
    private(set) var integers = 0
    private(set) var reals = 0
    private(set) var texts = 0
    private(set) var blobs = 0

    private(set) var minimum = Int64.max
    private(set) var maximum = Int64.min
    private(set) var leastReal = Double.infinity
    private(set) var greatestReal = -Double.infinity
    /// The most digits behind the point of a number, up to ``mostDigits``; more for a number with
    /// more digits.
    private(set) var digits = 0
    /// Whether a number is infinite.
    private(set) var hasInfinity = false
    /// Texts that are not valid UTF-8.
    private(set) var invalidTexts = 0
    /// The notations of the texts, as long as all of them are dates.
    private(set) var dateForms: Set<DateTextForm> = []
    private(set) var areDates = true
    private(set) var areUpperUUIDs = true
    private(set) var areLowerUUIDs = true
    /// Whether all blobs are UUIDs of a version that RFC 9562 knows.
    private(set) var areUUIDBlobs = true
    /// The first text, if it is short.
    private(set) var example: String?
    /// The different texts, as long as they are few and short; empty if they are not.
    private(set) var choices: [String: Int] = [:]
    private var hasFewChoices = true

    /// The number of digits behind the point up to which decimals are recognised.
    static let mostDigits = 4
    /// The largest integer up to which every integer is a floating-point number.
    static let exactInteger: Int64 = 1 << 53
    private static let mostChoices = 8
    private static let longestChoice = 32

    /// The number of values that are not null.
    var count: Int { integers + reals + texts + blobs }
    /// The number of storage classes that occur.
    var classes: Int { [integers, reals, texts, blobs].count { $0 > 0 } }

    /// Takes a value into account.
    mutating func take(_ value: OpaquePointer?) {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER:
            integers += 1
            let integer = sqlite3_value_int64(value)
            minimum = min(minimum, integer)
            maximum = max(maximum, integer)
        case SQLITE_FLOAT: take(sqlite3_value_double(value))
        case SQLITE_TEXT:
            texts += 1
            guard let bytes = sqlite3_value_text(value) else { return }
            take(
                UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))))
        case SQLITE_BLOB:
            blobs += 1
            guard areUUIDBlobs else { return }
            let bytes = sqlite3_value_blob(value)
            let count = Int(sqlite3_value_bytes(value))
            areUUIDBlobs = Self.isUUID(UnsafeRawBufferPointer(start: bytes, count: count))
        default: nulls += 1
        }
    }

    private mutating func take(_ real: Double) {
        reals += 1
        guard real.isFinite else {
            hasInfinity = true
            return
        }
        leastReal = min(leastReal, real)
        greatestReal = max(greatestReal, real)
        while digits <= Self.mostDigits, !Self.has(real, digits: digits) { digits += 1 }
    }

    private mutating func take(_ text: UnsafeBufferPointer<UInt8>) {
        if texts == 1, text.count <= 40 { example = String(decoding: text, as: UTF8.self) }
        if areDates {
            if let form = DateTextForm(text) { dateForms.insert(form) } else { areDates = false }
        }
        if areUpperUUIDs { areUpperUUIDs = Self.isUUID(text, firstLetter: UInt8(ascii: "A")) }
        if areLowerUUIDs { areLowerUUIDs = Self.isUUID(text, firstLetter: UInt8(ascii: "a")) }
        guard Self.isValid(text) else {
            invalidTexts += 1
            return
        }
        guard hasFewChoices else { return }
        if text.count <= Self.longestChoice {
            choices[String(decoding: text, as: UTF8.self), default: 0] += 1
        }
        guard text.count > Self.longestChoice || choices.count > Self.mostChoices else { return }
        hasFewChoices = false
        choices = [:]
    }

    /// Returns whether a number is a decimal with so many digits behind the point, or fewer.
    private static func has(_ real: Double, digits: Int) -> Bool {
        var power = 1.0
        for _ in 0..<digits { power *= 10 }
        let scaled = (real * power).rounded()
        return abs(scaled) < Double(exactInteger) && scaled / power == real
    }

    /// Returns whether bytes are valid UTF-8, testing eight bytes at a time.
    private static func isValid(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let raw = UnsafeRawBufferPointer(text)
        var place = 0
        while place + 8 <= raw.count {
            if raw.loadUnaligned(fromByteOffset: place, as: UInt64.self) & 0x8080_8080_8080_8080
                != 0
            {
                return String(validating: text, as: UTF8.self) != nil
            }
            place += 8
        }
        guard text[place...].contains(where: { $0 >= 0x80 }) else { return true }
        return String(validating: text, as: UTF8.self) != nil
    }

    /// Returns whether a text is a UUID with letters of one case.
    private static func isUUID(_ text: UnsafeBufferPointer<UInt8>, firstLetter: UInt8) -> Bool {
        guard text.count == 36 else { return false }
        for (index, byte) in text.enumerated() {
            if [8, 13, 18, 23].contains(index) {
                if byte != UInt8(ascii: "-") { return false }
            } else if !(0x30...0x39).contains(byte), !(firstLetter...firstLetter + 5).contains(byte)
            {
                return false
            }
        }
        return true
    }

    /// Returns whether a blob is a UUID of the versions 1 to 8.
    private static func isUUID(_ blob: UnsafeRawBufferPointer) -> Bool {
        blob.count == 16 && (1...8).contains(blob[6] >> 4) && blob[8] >> 6 == 2
    }
}
