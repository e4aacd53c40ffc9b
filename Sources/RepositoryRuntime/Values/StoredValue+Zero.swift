extension StoredValue {
    /// The value with zero wherever it holds negative zero, as records are stored.
    var withoutNegativeZero: StoredValue {
        switch self {
        // The sum of negative zero and zero is zero.
        case .double(let number): .double(number + 0)
        case .list(let elements): .list(elements.map(\.withoutNegativeZero))
        case .object(let members): .object(members.mapValues(\.withoutNegativeZero))
        default: self
        }
    }
}
