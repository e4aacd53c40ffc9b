public import RepositoryRuntime

/// The result of a check that did not fail.
public enum BehaviourOutcome: Sendable, Hashable {
    /// The store satisfies the behaviour.
    case passed
    /// The behaviour does not apply to the store, because the store does not declare these
    /// capabilities.
    case notApplicable(missing: [StoreCapability])
    /// The behaviour tests that an unsupported operation throws, and the store supports the
    /// operation.
    case notRestricted
}

/// The conditions under which a behaviour applies to a store.
struct BehaviourRequirements: Sendable {
    /// The capabilities that the store has to declare.
    var needs: [StoreCapability] = []
    /// The capabilities that the store must not declare.
    var lacks: [StoreCapability] = []

    /// The outcome if the behaviour does not apply to a store with these capabilities; nil if it
    /// applies.
    func outcome(for capabilities: StoreCapabilities) -> BehaviourOutcome? {
        let missing = needs.filter { !capabilities.has($0) }
        if !missing.isEmpty { return .notApplicable(missing: missing) }
        if lacks.contains(where: capabilities.has) { return .notRestricted }
        return nil
    }
}
