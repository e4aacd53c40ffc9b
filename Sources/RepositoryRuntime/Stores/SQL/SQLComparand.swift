internal import Foundation

/// What a value that a field is compared with is among the values that its column can hold.
enum SQLComparand {
    /// One of them.
    case value(StoredValue)
    /// None of them: it stands after this one and before the next.
    case after(StoredValue)
    /// It stands after all of them, or before all of them.
    case aboveAll, belowAll
    /// It has no place: NaN.
    case nowhere

    /// Finds the place; nil where only the runtime can tell.
    init?(_ value: StoredValue, _ form: SQLColumnForm) {
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
        case (.decimal(let number), .scaledDecimal(let scale)):
            self.init(number, scale: scale)
        case (.decimal(let number), .decimalReal(nil)):
            self.init(real: number)
        default:
            return nil
        }
    }

    /// Among whole microseconds.
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

    /// Among whole seconds.
    private init(seconds date: Date) {
        let microseconds = StoredDate.microseconds(date)
        let rest = ((microseconds % 1_000_000) + 1_000_000) % 1_000_000
        let whole = StoredDate.date(microseconds: microseconds - rest)
        self = rest == 0 ? .value(.date(whole)) : .after(.date(whole))
    }

    /// Among floating-point numbers, each of which stands for one decimal.
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
