public import RepositoryRuntime

/// How a check ended that did not fail.
public enum BehaviourOutcome: Sendable, Hashable {
    /// The store behaves so.
    case passed
    /// The behaviour is not asked of this store, because it does not declare these capabilities.
    case notAsked(missing: [StoreCapability])
    /// The behaviour is a refusal, and the store declares what it would refuse.
    case nothingToRefuse
}

/// What a behaviour asks of a store before it can be checked.
struct BehaviourRequirements: Sendable {
    /// What the store declares.
    var needs: [StoreCapability] = []
    /// What the store does not declare.
    var lacks: [StoreCapability] = []

    /// The outcome where the behaviour is not to be checked, or nil.
    func outcome(for capabilities: StoreCapabilities) -> BehaviourOutcome? {
        let missing = needs.filter { !capabilities.has($0) }
        if !missing.isEmpty { return .notAsked(missing: missing) }
        if lacks.contains(where: capabilities.has) { return .nothingToRefuse }
        return nil
    }
}
