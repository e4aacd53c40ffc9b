import RepositoryRuntime

/// An entity that clients read and change over HTTP. Its version becomes the entity tag.
protocol Resource: Entity {
    /// The version of the record, counted by the store.
    var revision: Int { get }
}

extension Author: Resource {}
extension Book: Resource {}
