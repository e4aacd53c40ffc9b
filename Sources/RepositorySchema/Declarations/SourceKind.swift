/// A database of another program, whose files records can be taken from.
public enum SourceKind: String, Sendable, Hashable, CaseIterable {
    /// A Realm file.
    case realm
    /// A store of Core Data or SwiftData.
    case coredata
}
