package import RepositoryRuntime

/// A value of a unique index.
///
/// It stands beside the generic type that stores it, and is not private: optimising that type in
/// another module for the Thread Sanitizer ends the compiler of Swift 6.3 otherwise.
package struct UniqueIndexValue: Hashable {
    fileprivate let index: Int
    fileprivate let key: [UInt8]
}

/// Finds an order of writes in which every unique value is released before it is taken.
///
/// Databases that check unique indexes at every statement need it for the records of one call.
package struct UniqueRelease<ID: Hashable> {
    /// The result of ``UniqueRelease/order()``.
    package enum Order: Sendable, Equatable {
        /// The given order is as good as any.
        case unchanged
        /// The positions of the records, in the order in which they can be written.
        case sorted([Int])
        /// Records exchange values in a cycle.
        case cycle
    }

    private let forms: [IndexKeyForm]
    /// For each record, the values that it takes.
    private var taken: [[UniqueIndexValue]] = []
    /// The record that releases a value.
    private var releasing: [UniqueIndexValue: Int] = [:]
    /// The positions of the records by id. Strings would not do: `==` takes two strings for the same
    /// that only differ in their Unicode form, which are two ids.
    private var positions: [ID: Int] = [:]
    /// Whether an id occurs twice. The order of such records must not change.
    private var repeats = false

    /// Creates an order for the records of a table.
    package init(_ table: EntityTable) {
        forms = table.indexes.filter(\.isUnique).map { IndexKeyForm(table, $0) }
    }

    /// Adds the next record of the call.
    ///
    /// - Parameters:
    ///   - id: its id.
    ///   - old: its stored values, by field; nil if it is not stored.
    ///   - new: the values that are to be stored.
    package mutating func add(id: ID, from old: [StoredValue]?, to new: [StoredValue]) {
        let position = taken.count
        if positions.updateValue(position, forKey: id) != nil { repeats = true }
        let before = old.map(values) ?? []
        let after = values(new)
        for value in before where !after.contains(value) { releasing[value] = position }
        taken.append(after.filter { !before.contains($0) })
    }

    private func values(_ row: [StoredValue]) -> [UniqueIndexValue] {
        forms.enumerated().compactMap { index, form in
            form.uniqueKey(of: row).map { UniqueIndexValue(index: index, key: $0) }
        }
    }

    /// Returns the order. It takes time linear in the number of records and unique indexes.
    package func order() -> Order {
        if repeats { return .unchanged }
        // A record waits for those that release what it takes.
        var followers: [[Int]] = taken.map { _ in [] }
        var waiting = [Int](repeating: 0, count: taken.count)
        for (position, values) in taken.enumerated() {
            for value in values {
                guard let first = releasing[value], first != position else { continue }
                followers[first].append(position)
                waiting[position] += 1
            }
        }
        var order = waiting.indices.filter { waiting[$0] == 0 }
        var next = 0
        while next < order.count {
            for follower in followers[order[next]] {
                waiting[follower] -= 1
                if waiting[follower] == 0 { order.append(follower) }
            }
            next += 1
        }
        guard order.count == taken.count else { return .cycle }
        return order == Array(taken.indices) ? .unchanged : .sorted(order)
    }
}
