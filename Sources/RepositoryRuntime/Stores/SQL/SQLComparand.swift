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
            (.data, .data):
            self = .value(value)
        case (.double(let number), .float), (.double(let number), .double):
            self = number.isNaN ? .nowhere : .value(value)
        case (.date(let date), .date):
            let seconds = date.timeIntervalSinceReferenceDate
            if seconds.isNaN {
                self = .nowhere
            } else if StoredDate.canStore(date) {
                self = .value(value)
            } else {
                self = seconds > 0 ? .aboveAll : .belowAll
            }
        case (.decimal(let number), .scaledDecimal(let scale)):
            self.init(number, scale: scale)
        default:
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
