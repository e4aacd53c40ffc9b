internal import RepositoryRuntime
internal import Synchronization

/// What one operation gave: what two stores that behave the same agree on.
enum RandomOutcome: Sendable, Equatable {
    /// Records, each by field.
    case records([[StoredValue]])
    /// Ids in their text form.
    case ids([StoredValue])
    /// A number of records.
    case number(Int)
    /// A value as text.
    case text(String)
    /// Whether there is a record.
    case flag(Bool)
    /// What several operations gave.
    case several([RandomOutcome])
    /// Nothing.
    case done
    /// The code of the error.
    case error(String)

    /// The outcome of records.
    static func of<E: Entity>(_ entities: [E]) throws -> RandomOutcome {
        .records(try entities.map { try StoredValueEncoder.values(of: $0, E.Mapper.self) })
    }

    /// What a batch gives. Where several of its records are refused for different reasons, a store may name any.
    static func ofBatch(_ call: () async throws -> RandomOutcome) async throws -> RandomOutcome {
        let refusals: Set<CRUDRepositoryError.Code> = [
            .recordAlreadyExists, .constraintViolated, .versionConflict,
        ]
        do {
            return try await call()
        } catch let error as CRUDRepositoryError where refusals.contains(error.code) {
            return .error("refused")
        }
    }

    /// What a call gives, an error of the repositories included.
    static func of(_ call: () async throws -> RandomOutcome) async throws -> RandomOutcome {
        do {
            return try await call()
        } catch let error as CRUDRepositoryError {
            return .error(error.code.rawValue)
        }
    }
}

extension RandomOutcome: CustomStringConvertible {
    /// The outcome as a program would write it, the same for equal outcomes.
    var description: String {
        switch self {
        case .records(let rows): ProgramText.text(.list(rows.map { .list($0) }))
        case .ids(let ids): ProgramText.text(.list(ids))
        case .number(let number): "\(number)"
        case .text(let text): text
        case .flag(let flag): "\(flag)"
        case .several(let outcomes): "[\(outcomes.map(\.description).joined(separator: "; "))]"
        case .done: "done"
        case .error(let code): "error \(code)"
        }
    }
}

/// The outcomes of the operations of a transaction, which may be tried more than once.
final class RandomOutcomes: Sendable {
    private let outcomes = Mutex<[RandomOutcome]>([])

    /// The outcomes of the last try.
    var all: [RandomOutcome] { outcomes.withLock { $0 } }

    /// Forgets those of an earlier try.
    func begin() { outcomes.withLock { $0 = [] } }

    /// Adds the outcome of the next operation.
    func add(_ outcome: RandomOutcome) { outcomes.withLock { $0.append(outcome) } }
}
