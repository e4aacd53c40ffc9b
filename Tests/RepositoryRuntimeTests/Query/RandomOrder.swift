import Foundation
import RepositoryRuntime

/// An order twice: as a query says it, and as plain Swift.
struct RandomOrder {
    var name: String
    var sorted: (Query<Volume>) -> Query<Volume>
    /// Whether the first volume stands before the second; nil where the order does not say.
    var plain: (Volume, Volume) -> Bool?

    static func make(_ random: inout SeededGenerator) -> [RandomOrder] {
        (0..<random.below(4)).map { _ in
            let orders = all(random.below(2) == 0 ? .ascending : .descending)
            return orders[random.below(orders.count)]
        }
    }

    /// The volumes in the order of several keys, then of the id.
    static func sort(_ volumes: [Volume], by orders: [RandomOrder]) -> [Volume] {
        volumes.sorted { left, right in
            for order in orders {
                if let result = order.plain(left, right) { return result }
            }
            return RandomCondition.before(left.code.rawValue, right.code.rawValue)
        }
    }

    private static func key<V>(
        _ name: String, _ direction: SortDirection,
        _ sorted: @escaping (Query<Volume>) -> Query<Volume>, _ value: @escaping (Volume) -> V?,
        _ before: @escaping (V, V) -> Bool
    ) -> RandomOrder {
        RandomOrder(name: "\(name) \(direction)", sorted: sorted) { first, second in
            let (left, right) =
                direction == .ascending
                ? (value(first), value(second)) : (value(second), value(first))
            switch (left, right) {
            case (nil, nil): return nil
            case (nil, _): return true
            case (_, nil): return false
            case (let left?, let right?):
                if before(left, right) { return true }
                return before(right, left) ? false : nil
            }
        }
    }

    private static func all(_ direction: SortDirection) -> [RandomOrder] {
        [
            key(
                "title", direction, { $0.sorted(by: \.title, direction) }, \.title,
                RandomCondition.before),
            key(
                "subtitle", direction, { $0.sorted(by: \.subtitle, direction) }, \.subtitle,
                RandomCondition.before),
            key("pages", direction, { $0.sorted(by: \.pages, direction) }, \.pages, <),
            key("score", direction, { $0.sorted(by: \.score, direction) }, \.score, <),
            key("price", direction, { $0.sorted(by: \.price, direction) }, \.price, <),
            key("due", direction, { $0.sorted(by: \.due, direction) }, \.due, <),
            key(
                "grade", direction, { $0.sorted(by: \.grade, direction) }, \.grade?.rawValue, <),
            key(
                "isOpen", direction, { $0.sorted(by: \.isOpen, direction) }, { $0.isOpen ? 1 : 0 },
                <),
            key(
                "shelf.note", direction, { $0.sorted(by: \.shelf.note, direction) },
                \.shelf?.note, RandomCondition.before),
            key(
                "spot.row", direction, { $0.sorted(by: \.spot.row, direction) }, \.spot.row, <),
            key(
                "code", direction, { $0.sorted(by: \.code, direction) }, \.code.rawValue,
                RandomCondition.before),
            key(
                "id", direction, { $0.sorted(by: \.id, direction) }, \.code.rawValue,
                RandomCondition.before),
        ]
    }
}
