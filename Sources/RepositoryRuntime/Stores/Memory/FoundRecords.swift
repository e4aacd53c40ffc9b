/// What look-ups by all fields of an index found, kept until one of the records changes: applications ask for the same few
/// values again and again, and the list is then theirs without a copy.
///
/// It holds as many records as the table at most, and of one look-up few.
struct FoundRecords: Sendable {
    /// Of one look-up no more are kept.
    static var most: Int { 64 }

    private var lists: [IndexKey: FoundList] = [:]
    private var count = 0

    /// What was found under the values of all fields; nil where that is not known.
    func list(_ fields: IndexKey) -> FoundList? { lists[fields] }

    /// Keeps what was found.
    ///
    /// - Parameter most: how many records are kept in all.
    mutating func keep(_ list: FoundList, _ fields: IndexKey, most: Int) {
        if list.count > Self.most { return }
        if count + list.cost > most { self = FoundRecords() }
        if lists.updateValue(list, forKey: fields) == nil { count += list.cost }
    }

    /// Forgets what a change of a record with some keys concerns.
    mutating func forget(_ keys: [IndexKey?], _ form: IndexKeyForm) {
        if lists.isEmpty { return }
        for case let key? in keys {
            guard let fields = form.fields(of: key), let list = lists.removeValue(forKey: fields)
            else { continue }
            count -= list.cost
        }
    }
}

/// Some records of one table, as a list that can be handed out.
///
/// `@unchecked`: nothing of it ever changes, and what the only subclass adds are records, which are `Sendable`.
class FoundList: @unchecked Sendable {
    /// How many records it holds.
    final let count: Int

    init(count: Int) {
        self.count = count
    }

    /// What it counts for: nothing found is kept too.
    final var cost: Int { max(1, count) }
}

/// Some records of one entity.
///
/// `@unchecked`: as ``FoundList``, which a subclass must repeat; it adds a constant.
final class FoundListOf<E: Entity>: FoundList, @unchecked Sendable {
    let entities: [E]

    init(_ entities: [E]) {
        self.entities = entities
        super.init(count: entities.count)
    }
}
