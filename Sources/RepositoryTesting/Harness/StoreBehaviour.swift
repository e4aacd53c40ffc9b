public import RepositoryRuntime

/// A behaviour that every store has to satisfy: a name, a description and a check.
///
/// A store is tested by a parameterized test that has one case per behaviour:
///
/// ```swift
/// @Test(arguments: StoreBehaviour.all)
/// func store(_ behaviour: StoreBehaviour) async throws {
///     try await behaviour.check { place in try MyStore(directory: place.directory) }
/// }
/// ```
///
/// The capabilities that a store declares determine which behaviours apply to it. For a capability
/// that is not declared, a behaviour checks that the operations throw `unsupported`.
public struct StoreBehaviour: Sendable, Identifiable {
    typealias Check = @Sendable (StoreTrial) async throws -> Void

    private let behaviour: BehaviourDescription
    private let requirements: BehaviourRequirements
    /// Whether the check needs a harness that can damage records.
    private let needsDamage: Bool
    private let body: Check

    /// Creates a behaviour.
    ///
    /// - Parameters:
    ///   - id: the area and a short name, separated by a dot.
    ///   - sentence: the description, which ends with a period.
    ///   - needs: the capabilities that a store has to declare.
    ///   - lacks: the capabilities that a store must not declare.
    ///   - needsDamage: whether the check needs a harness that can damage records.
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

    /// Whether the behaviour applies to stores with these capabilities.
    public func applies(to capabilities: StoreCapabilities) -> Bool {
        requirements.outcome(for: capabilities) == nil
    }

    /// Creates a store in a new place and checks the behaviour.
    ///
    /// - Throws: ``BehaviourFailure`` if the store does not satisfy it.
    @discardableResult
    public func check(_ make: @escaping StoreHarness.Make) async throws -> BehaviourOutcome {
        try await check(StoreHarness(make: make))
    }

    /// Creates a store in a new place and checks the behaviour.
    ///
    /// - Throws: ``BehaviourFailure`` if the store does not satisfy it.
    @discardableResult
    public func check(_ harness: StoreHarness) async throws -> BehaviourOutcome {
        try await StoreLocation.withNew(cleanUp: harness.cleanUp) { place in
            let store = try await harness.make(place)
            if let outcome = requirements.outcome(for: store.capabilities) { return outcome }
            if needsDamage, harness.damage == nil { return .notApplicable(missing: []) }
            let trial = StoreTrial(
                store: store, place: place, harness: harness,
                tables: BehaviourTables.names(of: behaviour))
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
    /// Compares the names, which are unique.
    public static func == (left: StoreBehaviour, right: StoreBehaviour) -> Bool {
        left.id == right.id
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
