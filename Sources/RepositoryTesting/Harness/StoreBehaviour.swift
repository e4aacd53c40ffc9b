public import RepositoryRuntime

/// One thing that every store does in the same way: a name, a sentence, and the check that shows it.
///
/// A store is tested by one parameterised test, in which each behaviour is a case of its own:
///
/// ```swift
/// @Test(arguments: StoreBehaviour.all)
/// func store(_ behaviour: StoreBehaviour) async throws {
///     try await behaviour.check { place in try MyStore(directory: place.directory) }
/// }
/// ```
///
/// Which behaviours are asked of a store follows from the capabilities it declares; what it does not declare it must
/// refuse, and that is a behaviour too.
public struct StoreBehaviour: Sendable, Identifiable {
    typealias Check = @Sendable (StoreTrial) async throws -> Void

    /// The behaviour's name: its area, a dot, and what it is about.
    public let id: String
    /// The behaviour as a sentence.
    public let sentence: String
    let requirements: BehaviourRequirements
    private let needsDamage: Bool
    private let body: Check
    private let fileID: String
    private let line: Int

    init(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [.records],
        lacks: [StoreCapability] = [], needsDamage: Bool = false, fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) {
        self.id = id
        self.sentence = sentence
        requirements = BehaviourRequirements(needs: needs, lacks: lacks)
        self.needsDamage = needsDamage
        self.body = body
        self.fileID = fileID
        self.line = line
    }

    /// Whether the behaviour is asked of a store with these capabilities.
    public func isAsked(of capabilities: StoreCapabilities) -> Bool {
        requirements.outcome(for: capabilities) == nil
    }

    /// Makes a store at a place of its own and checks the behaviour.
    ///
    /// - Throws: ``BehaviourFailure`` when the store does not have it.
    @discardableResult
    public func check(_ make: @escaping StoreHarness.Make) async throws -> BehaviourOutcome {
        try await check(StoreHarness(make: make))
    }

    /// Makes a store at a place of its own and checks the behaviour.
    ///
    /// - Throws: ``BehaviourFailure`` when the store does not have it.
    @discardableResult
    public func check(_ harness: StoreHarness) async throws -> BehaviourOutcome {
        let place = try StorePlace.new()
        let outcome: BehaviourOutcome
        do {
            outcome = try await check(harness, at: place)
        } catch {
            try await cleanUp(harness, place)
            throw error
        }
        try await cleanUp(harness, place)
        return outcome
    }

    private func check(
        _ harness: StoreHarness, at place: StorePlace
    ) async throws -> BehaviourOutcome {
        let store = try await harness.make(place)
        if let outcome = requirements.outcome(for: store.capabilities) { return outcome }
        if needsDamage, harness.damage == nil { return .notAsked(missing: []) }
        let trial = StoreTrial(store: store, place: place, harness: harness)
        do {
            try await EntityDefaults.$source.withValue(trial.defaults) { try await body(trial) }
            return .passed
        } catch let failure as ExpectationFailure {
            throw failure.failure(of: id, sentence, store: store.name)
        } catch {
            throw BehaviourFailure(
                behaviour: id, sentence: sentence, store: store.name,
                message: "A call threw that should not have.", expected: nil, actual: "\(error)",
                fileID: fileID, line: line)
        }
    }

    private func cleanUp(_ harness: StoreHarness, _ place: StorePlace) async throws {
        try await harness.cleanUp?(place)
        try place.remove()
    }
}

extension StoreBehaviour: CustomStringConvertible {
    /// The behaviour's name.
    public var description: String { id }
}

extension StoreBehaviour: Hashable {
    /// Names are unique.
    public static func == (left: StoreBehaviour, right: StoreBehaviour) -> Bool {
        left.id == right.id
    }

    /// Feeds the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
