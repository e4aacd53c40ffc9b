public import RepositoryRuntime

/// A behaviour that every implementation of `CRUDRepository` has to satisfy: a name, a
/// description and a check.
///
///
/// ```swift
/// @Test(arguments: RepositoryBehaviour.all)
/// func repository(_ behaviour: RepositoryBehaviour) async throws {
///     try await behaviour.check { place in MyRepository(directory: place.directory, place.table) }
/// }
/// ```
public struct RepositoryBehaviour: Sendable, Identifiable {
    typealias Check = @Sendable (RepositoryTrial) async throws -> Void

    /// The capabilities that a repository has by default. A harness can exclude some of them.
    public static let capabilities: [StoreCapability] = [
        .records, .persistent, .fractionalSeconds, .controlCharacters, .namedTables,
        .formattedItems,
    ]

    private let behaviour: BehaviourDescription
    private let requirements: BehaviourRequirements
    /// Whether the check needs a harness that can damage items.
    private let needsDamage: Bool
    private let body: Check

    /// Creates a behaviour.
    ///
    /// - Parameters:
    ///   - id: the area and a short name, separated by a dot.
    ///   - sentence: the description, which ends with a period.
    ///   - needs: the capabilities that a repository has to have.
    ///   - lacks: the capabilities that a repository must not have.
    ///   - needsDamage: whether the check needs a harness that can damage items.
    ///   - fileID: the file of the behaviour, for failures.
    ///   - line: the line of the behaviour, for failures.
    ///   - body: the check, which throws ``ExpectationFailure``.
    init(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [.records],
        lacks: [StoreCapability] = [], needsDamage: Bool = false, fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) {
        behaviour = BehaviourDescription(id: id, sentence: sentence, fileID: fileID, line: line)
        requirements = BehaviourRequirements(needs: needs, lacks: lacks)
        self.needsDamage = needsDamage
        self.body = body
    }

    /// The behaviour's name: its area and a short name, separated by a dot.
    public var id: String { behaviour.id }
    /// The area of the behaviour: the part of the name before the dot.
    public var area: String { behaviour.area }
    /// The description of the behaviour, as a sentence.
    public var sentence: String { behaviour.sentence }

    /// Creates a repository in a new place and checks the behaviour.
    ///
    /// - Throws: ``BehaviourFailure`` if the repository does not satisfy it.
    @discardableResult
    public func check(_ make: @escaping RepositoryHarness.Make) async throws -> BehaviourOutcome {
        try await check(RepositoryHarness(make: make))
    }

    /// Creates a repository in a new place and checks the behaviour.
    ///
    /// - Throws: ``BehaviourFailure`` if the repository does not satisfy it.
    @discardableResult
    public func check(_ harness: RepositoryHarness) async throws -> BehaviourOutcome {
        if let outcome = requirements.outcome(for: harness.capabilities) { return outcome }
        if needsDamage, harness.damage == nil { return .notApplicable(missing: []) }
        return try await StoreLocation.withNew(cleanUp: harness.cleanUp) { place in
            let repository = try await harness.make(place)
            let trial = RepositoryTrial(repository: repository, place: place, harness: harness)
            try await behaviour.run(on: "\(type(of: repository))") { try await body(trial) }
            return .passed
        }
    }
}

extension RepositoryBehaviour: CustomStringConvertible {
    /// The behaviour's name.
    public var description: String { id }
}

extension RepositoryBehaviour: Hashable {
    /// Compares the names, which are unique.
    public static func == (left: RepositoryBehaviour, right: RepositoryBehaviour) -> Bool {
        left.id == right.id
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
