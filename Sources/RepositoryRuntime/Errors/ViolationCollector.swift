internal import Synchronization

/// Collects the broken rules of an item, after the first of them was found.
///
/// A write is prepared without a collector, and the first broken rule throws. Only then is the item
/// prepared again with one, so that valid items cost nothing more.
final class ViolationCollector: Sendable {
    private let errors = Mutex<[CRUDRepositoryError]>([])

    /// Adds the error of a broken rule.
    func add(_ error: CRUDRepositoryError) {
        errors.withLock { $0.append(error) }
    }

    /// The errors in the order in which they were added.
    var all: [CRUDRepositoryError] { errors.withLock { $0 } }
}
