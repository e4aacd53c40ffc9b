public import RepositoryRuntime

/// One thing that every four-method repository does in the same way: a name, a sentence, and the check that shows it.
///
/// ```swift
/// @Test(arguments: RepositoryBehaviour.all)
/// func repository(_ behaviour: RepositoryBehaviour) async throws {
///     try await behaviour.check { place in MyRepository(directory: place.directory, place.table) }
/// }
/// ```
public struct RepositoryBehaviour: Sendable, Identifiable {
    typealias Check = @Sendable (RepositoryTrial) async throws -> Void

    /// What a repository has unless its harness says that it does without.
    public static let capabilities: [StoreCapability] = [
        .records, .persistent, .fractionalSeconds, .controlCharacters, .namedTables,
        .formattedItems,
    ]

    private let behaviour: BehaviourDescription
    private let requirements: BehaviourRequirements
    private let needsDamage: Bool
    private let body: Check

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

    /// The behaviour's name: its area, a dot, and what it is about.
    public var id: String { behaviour.id }
    /// The area of the behaviour: what stands before the dot of its name.
    public var area: String { behaviour.area }
    /// The behaviour as a sentence.
    public var sentence: String { behaviour.sentence }

    /// Makes a repository at a place of its own and checks the behaviour.
    ///
    /// - Throws: ``BehaviourFailure`` when the repository does not have it.
    @discardableResult
    public func check(_ make: @escaping RepositoryHarness.Make) async throws -> BehaviourOutcome {
        try await check(RepositoryHarness(make: make))
    }

    /// Makes a repository at a place of its own and checks the behaviour.
    ///
    /// - Throws: ``BehaviourFailure`` when the repository does not have it.
    @discardableResult
    public func check(_ harness: RepositoryHarness) async throws -> BehaviourOutcome {
        if let outcome = requirements.outcome(for: harness.capabilities) { return outcome }
        if needsDamage, harness.damage == nil { return .notAsked(missing: []) }
        return try await StorePlace.withNew(cleanUp: harness.cleanUp) { place in
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
    /// Names are unique.
    public static func == (left: RepositoryBehaviour, right: RepositoryBehaviour) -> Bool {
        left.id == right.id
    }

    /// Feeds the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
