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
        try await StorePlace.withNew(cleanUp: harness.cleanUp) { place in
            let store = try await harness.make(place)
            if let outcome = requirements.outcome(for: store.capabilities) { return outcome }
            if needsDamage, harness.damage == nil { return .notAsked(missing: []) }
            let trial = StoreTrial(store: store, place: place, harness: harness)
            try await behaviour.run(on: store.name) {
                try await EntityDefaults.$source.withValue(trial.defaults) {
                    try await body(trial)
                }
            }
            return .passed
        }
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
