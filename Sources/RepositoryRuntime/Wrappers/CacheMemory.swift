internal import Synchronization

/// How often a cache has answered from memory.
public struct CacheStatistics: Sendable, Hashable {
    /// The number of answers from memory.
    public internal(set) var hits = 0
    /// The number of answers from the store.
    public internal(set) var misses = 0
    /// The number of records and other values in memory.
    public internal(set) var size = 0
}

/// What is asked of a store.
struct CacheQuestion: Hashable {
    /// The kinds of questions.
    enum Kind: Hashable {
        case record(StoredValue), existence(StoredValue), count, ids
        case page(StoredValue?, Int)
        case scan(IndexScan, Int)
        case selection(StoreSelection)
        case values(StoreSelection, [FieldPath])
        case summary(StoreSelection, StoreSummary)
    }

    private let type: ObjectIdentifier
    private let kind: Kind

    init<E: Entity>(_ type: E.Type, _ kind: Kind) {
        self.type = ObjectIdentifier(type)
        self.kind = kind
    }

    /// The record with an id; nil if the id cannot be stored.
    static func record<E: Entity>(_ type: E.Type, _ id: E.ID) -> Self? {
        (try? id.storedKey()).map { Self(type, .record($0)) }
    }

    /// Whether there is a record with an id; nil if the id cannot be stored.
    static func existence<E: Entity>(_ type: E.Type, _ id: E.ID) -> Self? {
        (try? id.storedKey()).map { Self(type, .existence($0)) }
    }

    /// A page of records; nil if the id cannot be stored.
    static func page<E: Entity>(_ type: E.Type, _ id: E.ID?, _ limit: Int) -> Self? {
        guard let id else { return Self(type, .page(nil, limit)) }
        return (try? id.storedKey()).map { Self(type, .page($0, limit)) }
    }

    /// A question about a selection; nil if it names keys of maps that equal others only in Swift,
    /// where two forms of one Unicode text are equal.
    static func selection<E: Entity>(
        _ type: E.Type, _ selection: StoreSelection, _ kind: Kind
    ) -> Self? {
        (selection.conditions + selection.narrowing).allSatisfy(\.hasPlainNames)
            ? Self(type, kind) : nil
    }
}

extension ConditionTree {
    /// Whether all names of paths are ASCII, so that equal names have equal bytes.
    fileprivate var hasPlainNames: Bool {
        func isPlain(_ path: FieldPath) -> Bool {
            path.names.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
        }
        return switch self {
        case .constant: true
        case .compare(let path, _, _), .isIn(let path, _), .text(let path, _),
            .hasElement(let path, _):
            isPlain(path)
        case .compareFields(let path, _, let other): isPlain(path) && isPlain(other)
        case .all(let conditions), .any(let conditions): conditions.allSatisfy(\.hasPlainNames)
        case .not(let condition): condition.hasPlainNames
        case .related, .invalid: false
        }
    }
}

/// The answers of a cache, all of which belong to one state of the store.
final class CacheMemory: Sendable {
    fileprivate struct Answer {
        var value: any Sendable
        var size: Int
        var time: ContinuousClock.Instant
        /// The number of the last use.
        var use: UInt64
    }

    fileprivate struct State {
        var answers: [CacheQuestion: Answer] = [:]
        /// The state of the store that the answers belong to.
        var state: UInt64?
        var uses: UInt64 = 0
        var clearings: UInt64 = 0
        var statistics = CacheStatistics()
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: the greatest sum of the sizes of the answers.
    init(limit: Int) { self.limit = max(1, limit) }

    /// Returns the answer to a question; nil if there is none.
    ///
    /// - Parameters:
    ///   - current: the present state of the store. Answers of another one are forgotten.
    ///   - oldest: the time before which answers are too old; nil for no such time.
    func answer<R>(
        to question: CacheQuestion, at current: UInt64, since oldest: ContinuousClock.Instant?
    ) -> R? {
        state.withLock { state in
            if state.state != current { state.forget(at: current) }
            guard let kept = state.answers[question], oldest.map({ kept.time >= $0 }) ?? true,
                let value = kept.value as? R
            else {
                state.statistics.misses += 1
                return nil
            }
            state.uses += 1
            state.answers[question]?.use = state.uses
            state.statistics.hits += 1
            return value
        }
    }

    /// Keeps an answer of a state, unless another state is known meanwhile.
    func keep(
        _ value: any Sendable, to question: CacheQuestion, at known: UInt64, size: Int,
        _ time: ContinuousClock.Instant
    ) {
        let size = max(1, size)
        guard size <= limit else { return }
        state.withLock { state in
            guard state.state == known else { return }
            state.uses += 1
            state.statistics.size -= state.answers[question]?.size ?? 0
            state.answers[question] = Answer(
                value: value, size: size, time: time, use: state.uses)
            state.statistics.size += size
            if state.statistics.size > limit { state.shrink(to: limit / 2) }
        }
    }

    /// Forgets all answers.
    func clear() {
        state.withLock { state in
            state.clearings += 1
            state.forget(at: nil)
        }
    }

    /// The number of calls of ``clear()``.
    var clearings: UInt64 { state.withLock { $0.clearings } }

    var statistics: CacheStatistics { state.withLock { $0.statistics } }
}

extension CacheMemory.State {
    fileprivate mutating func forget(at new: UInt64?) {
        answers.removeAll(keepingCapacity: true)
        statistics.size = 0
        state = new
    }

    /// Forgets the answers that were used least recently.
    ///
    /// Half of the limit is kept, so that the sort costs little for each answer.
    fileprivate mutating func shrink(to size: Int) {
        for (question, answer) in answers.sorted(by: { $0.value.use < $1.value.use }) {
            if statistics.size <= size { return }
            answers[question] = nil
            statistics.size -= answer.size
        }
    }
}
