/// The reason why a store of Core Data or SwiftData, or a model of one, cannot be read.
package struct CoreDataFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of reason it is.
    package enum Kind: String, Sendable {
        /// The file does not exist, or the system does not let it be read or copied.
        case unreadable
        /// The file is not an SQLite store of Core Data.
        case otherFormat
        /// The bytes contradict the format: cut off, overwritten, or hostile.
        case damaged
        /// Another program wrote the file while it was read.
        case changed
        /// The store contains no model, and none was given.
        case noModel
        /// The model is not the one that the store was written with.
        case otherModel
        /// Something that the reader does not know, by its name.
        case unknown
    }

    /// What kind of reason it is.
    package let kind: Kind
    /// The reason, as a sentence without the path of the file.
    package let reason: String

    /// Creates an error.
    package init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    package var description: String { reason }
}
