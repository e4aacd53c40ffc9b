internal import Foundation
internal import RepositoryRuntime

/// The position of a compared value among the values that a column can hold.
///
/// A query may compare a column with a value that the column cannot represent, such as a date with
/// fractional seconds in a column of whole seconds. A comparison is then rewritten in terms of the
/// next smaller value that it can represent.
///
/// For example, in a column of whole seconds, `date < 10.5 s` means `date <= 10 s`. The test
/// `date = 10.5 s` is false.
enum SQLComparand {
    /// The column can hold the value.
    case value(StoredValue)
    /// The column cannot hold the value, which lies between this value and the next one.
    case after(StoredValue)
    /// The value is greater or less than all values that the column can hold.
    case aboveAll, belowAll
    /// The value compares with none: NaN.
    case nowhere

    /// Determines the position among the values that a database can hold; nil if only the runtime
    /// can compare the value.
    init?(_ value: StoredValue, _ form: SQLColumnForm, _ dialect: any SQLDialect) {
        if !dialect.bindsNUL, form == .text, case .text(let text) = value,
            let zero = text.unicodeScalars.firstIndex(of: "\0")
        {
            // U+0000 is the first of all scalars: what precedes it is the next smaller string.
            self = .after(.text(String(text.unicodeScalars[..<zero])))
            return
        }
        self.init(value, form)
    }

    /// Determines the position; nil if only the runtime can compare the value.
    private init?(_ value: StoredValue, _ form: SQLColumnForm) {
        switch (value, form) {
        case (.bool, .boolean), (.integer, .integer), (.text, .text), (.uuid, .uuid),
            (.data, .data), (.uuid, .uuidBlob), (.uuid, .uuidLowercase):
            self = .value(value)
        case (.double(let number), .float), (.double(let number), .double):
            self = number.isNaN ? .nowhere : .value(value)
        case (.date(let date), .date), (.date(let date), .dateSeconds):
            let seconds = date.timeIntervalSinceReferenceDate
            if seconds.isNaN {
                self = .nowhere
            } else if StoredDate.canStore(date) {
                self = form == .date ? Self(microseconds: date) : Self(seconds: date)
            } else {
                self = seconds > 0 ? .aboveAll : .belowAll
            }
        case (.date(let date), .dateIn(let dateForm)):
            self.init(date, in: dateForm)
        case (.decimal(let number), .numeric):
            guard number.isFinite else { return nil }
            self = .value(value)
        case (.text(let text), .day):
            guard LocalDate(text) != nil else { return nil }
            self = .value(value)
        case (.decimal(let number), .scaledDecimal(let scale)):
            self.init(number, scale: scale)
        case (.decimal(let number), .decimalReal(nil)):
            self.init(real: number)
        default:
            return nil
        }
    }

    /// The position among the dates of a form whose stored values compare as the dates do.
    private init(_ date: Date, in form: DateForm) {
        let seconds = date.timeIntervalSinceReferenceDate
        guard !seconds.isNaN else {
            self = .nowhere
            return
        }
        guard StoredDate.canStore(date) else {
            self = seconds > 0 ? .aboveAll : .belowAll
            return
        }
        let nearest = StoredDate.microseconds(date)
        let before = StoredDate.date(microseconds: nearest) <= date ? nearest : nearest - 1
        let floor = form.floor(before)
        guard form.reaches(floor) else {
            self = floor > 0 ? .aboveAll : .belowAll
            return
        }
        let value = StoredDate.date(microseconds: floor)
        self = value == date ? .value(.date(value)) : .after(.date(value))
    }

    /// The position among whole microseconds.
    private init(microseconds date: Date) {
        let rounded = StoredDate.rounded(date)
        if rounded == date {
            self = .value(.date(date))
        } else {
            let nearest = StoredDate.microseconds(date)
            self = .after(
                .date(rounded < date ? rounded : StoredDate.date(microseconds: nearest - 1)))
        }
    }

    /// The position among whole seconds, rounded down.
    private init(seconds date: Date) {
        let microseconds = StoredDate.microseconds(date)
        let rest = ((microseconds % 1_000_000) + 1_000_000) % 1_000_000
        let whole = StoredDate.date(microseconds: microseconds - rest)
        self = rest == 0 ? .value(.date(whole)) : .after(.date(whole))
    }

    /// The position among floating-point numbers, each of which represents one decimal.
    private init?(real number: Decimal) {
        guard let nearest = SQLReal.nearest(number),
            let decimal = SQLReal.decimal(nearest, scale: nil)
        else { return nil }
        if decimal == number {
            self = .value(.decimal(number))
        } else if decimal < number {
            self = .after(.decimal(decimal))
        } else if let before = SQLReal.decimal(nearest.nextDown, scale: nil) {
            self = .after(.decimal(before))
        } else {
            return nil
        }
    }

    /// The position among decimals with a scale.
    private init?(_ number: Decimal, scale: Int) {
        guard number.isFinite else { return nil }
        if StoredDecimal.scaledInteger(number, scale: scale) != nil {
            self = .value(.decimal(number))
            return
        }
        if number > StoredDecimal.decimal(scaledInteger: .max, scale: scale) {
            self = .aboveAll
        } else if number < StoredDecimal.decimal(scaledInteger: .min, scale: scale) {
            self = .belowAll
        } else {
            var source = number
            var floor = Decimal()
            NSDecimalRound(&floor, &source, scale, .plain)
            if floor > number {
                floor -= StoredDecimal.decimal(scaledInteger: 1, scale: scale)
            }
            guard floor <= number, StoredDecimal.scaledInteger(floor, scale: scale) != nil else {
                return nil
            }
            self = .after(.decimal(floor))
        }
    }
}
