internal import RepositoryRuntime
internal import Synchronization

/// The outcome of an operation, in a form that can be compared between stores.
enum RandomOutcome: Sendable, Equatable {
    /// Records, as arrays of field values.
    case records([[StoredValue]])
    /// Ids in their string form.
    case ids([StoredValue])
    /// A number of records.
    case number(Int)
    /// A value as source text.
    case text(String)
    /// A Boolean, such as whether a record exists.
    case flag(Bool)
    /// The outcomes of several operations.
    case several([RandomOutcome])
    /// Success without a result.
    case done
    /// The code of the error.
    case error(String)

    /// The outcome for records.
    static func of<E: Entity>(_ entities: [E]) throws -> RandomOutcome {
        .records(try entities.map { try StoredValueEncoder.values(of: $0, E.Mapper.self) })
    }

    /// The outcome of a batch. If several records violate different rules, a store may report any
    /// of the errors.
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

    /// The outcome of a call, including an error of the repositories.
    static func of(_ call: () async throws -> RandomOutcome) async throws -> RandomOutcome {
        do {
            return try await call()
        } catch let error as CRUDRepositoryError {
            return .error(error.code.rawValue)
        }
    }
}

extension RandomOutcome: CustomStringConvertible {
    /// The outcome as source text. Equal outcomes have equal descriptions.
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

/// The outcomes of the operations in a transaction, whose body may run more than once.
final class RandomOutcomes: Sendable {
    private let outcomes = Mutex<[RandomOutcome]>([])

    /// The outcomes of the latest run of the body.
    var all: [RandomOutcome] { outcomes.withLock { $0 } }

    /// Discards the outcomes of a previous run.
    func begin() { outcomes.withLock { $0 = [] } }

    /// Appends the outcome of the next operation.
    func add(_ outcome: RandomOutcome) { outcomes.withLock { $0.append(outcome) } }
}
