internal import Foundation
internal import Synchronization

/// The paths of the documents of a file store, by the frozen stored form, and the paths of the
/// store's own files.
///
/// A record is `<folder>/item_<id>.<extension>`; see ``FileNamePart``. For the empty collection,
/// which is a repository of opaque items, the folder is the root. Otherwise it is a folder in the
/// root with the encoded name of the table.
///
/// The store's own files are in `.repository` in the root, which no table can have as its encoded
/// name:
///
/// - `lock`: the lock of the writers (``StoreLock``).
/// - `batches`: the lock that separates batches from readers (``FileDriver/beginBatch(_:)``).
/// - `intent`: the note of a running batch (``IntentNote``).
/// - `<table>.writes`: the write counter of a table (``FileCounter``).
/// - `<name>.note`: a note, such as the schema.
/// - `description`: a number that differs after every change of the schema (``DescriptionWatch``).
/// - `index_<table>/`: the documents of a table's indexes.
/// - `external_<table>/`: the chunks of a table's external data.
/// - `beside/new_<table>/` and `beside/gone_<table>/`: the documents that a migration writes beside
///   those of a table, and empty ones for those that it drops (``FileDriver/placing(_:_:)``).
/// - `tmp-<mark>-<number>`: temporary files, which exist only while their writer holds the lock.
///
/// All paths are relative to the root, except those of ``withPlainPath(_:in:_:)``. An instance is
/// thread-safe.
final class FileLayout: Sendable {
    /// The absolute path of the root with all links resolved.
    let root: String
    /// The file name extension of documents, without the dot.
    let formatExtension: String
    /// Whether the file system distinguishes case: 1 if it does, 0 if not, -1 while unknown.
    private let caseSensitivity = Atomic(-1)
    /// The bytes of an absolute path before the folder.
    let plainRoot: [UInt8]
    /// The bytes of an absolute path after the key, including the terminating 0.
    let plainEnding: [UInt8]
    /// The same for a placeholder.
    let placeholderEnding: [UInt8]

    /// Creates a layout; resolves the links in the path of the root.
    init(root: URL, formatExtension: String) {
        self.root = StoreFiles.resolved(root)
        self.formatExtension = PercentEncoding.encode(formatExtension) {
            $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/")
        }
        plainRoot = Array("\(self.root)/".utf8)
        plainEnding = Array(".\(self.formatExtension)\0".utf8)
        placeholderEnding = Array(".\(self.formatExtension)\(Self.placeholderEnding)\0".utf8)
    }

    /// The folder of the store's own files.
    let ownFolder = ".repository"

    /// The folder of the documents that a migration writes beside the stored ones.
    var besideFolder: String { ownFolder + "/beside" }

    /// Returns the folder of a collection; empty for the root.
    func folder(_ collection: String) -> String {
        if let table = DocumentIndexNames.table(of: collection) {
            return "\(ownFolder)/\(Self.indexPrefix)\(FileNamePart(table).encoded)"
        }
        if let table = ExternalDataNames.table(of: collection) {
            return "\(ownFolder)/\(Self.externalPrefix)\(FileNamePart(table).encoded)"
        }
        if let (kind, table) = BesideNames.parts(of: collection) {
            return "\(besideFolder)/\(kind)_\(FileNamePart(table).encoded)"
        }
        return collection.isEmpty ? "" : FileNamePart(collection).encoded
    }

    private static let indexPrefix = "index_"
    private static let externalPrefix = "external_"

    /// Returns whether a path relative to the root is that of a document, in the folder of any
    /// collection. What a note names as a document must be one.
    ///
    /// The extension is not checked: a store with another format may have written the note.
    func isDocument(_ path: String) -> Bool {
        let (folder, name) = StoreFiles.parts(path)
        guard !path.utf8.contains(0), name.utf8.count > 5, name.utf8.starts(with: "item_".utf8)
        else { return false }
        if folder.isEmpty { return String.isSameIdentifier(path, name) }
        return isFolderOfDocuments(folder)
    }

    /// Returns whether ``folder(_:)`` returns a folder for the name of a table.
    private func isFolderOfDocuments(_ folder: String) -> Bool {
        let (parent, name) = StoreFiles.parts(folder)
        let prefixes: [String]
        if parent.isEmpty, String.isSameIdentifier(folder, name) {
            prefixes = [""]
        } else if String.isSameIdentifier(parent, ownFolder) {
            prefixes = [Self.indexPrefix, Self.externalPrefix]
        } else if String.isSameIdentifier(parent, besideFolder) {
            prefixes = BesideNames.kinds.map { $0 + "_" }
        } else {
            return false
        }
        return prefixes.contains { prefix in
            guard name.utf8.starts(with: prefix.utf8) else { return false }
            // The encoder never returns `.` or `..`.
            switch FileNamePart.meaning(of: String(name.dropFirst(prefix.count))) {
            case .text, .hash: return true
            case .byHand, nil: return false
            }
        }
    }

    /// Returns the location of a document, or nil if the document does not exist.
    ///
    /// Looks at the location of the stored form first, and then for a file created by hand.
    ///
    /// - Parameters:
    ///   - key: The key of the document.
    ///   - collection: The collection of the document.
    ///   - files: The files of the calling reader or writer.
    ///   - mustBeFile: Whether a folder or a link with the name of the document is an error.
    func existing(
        _ key: String, in collection: String, _ files: StoreFiles, mustBeFile: Bool = false
    ) throws(FileFailure) -> FilePlace? {
        let place = try place(key, in: collection, files)
        if let status = try files.status(of: place.path), try isExact(place, key, files) {
            if mustBeFile { try status.checkIsFile(place.path) }
            return place
        }
        if let byHand = try byHand(key, in: collection, files, mustBeFile: mustBeFile) {
            return byHand
        }
        try requireDownloaded(place, files)
        return nil
    }

    /// The end of the name of a placeholder, which a synchronized folder has instead of a file that
    /// is not on this device: `.item_ada.json.icloud`.
    static let placeholderEnding = ".icloud"

    /// Returns the name of the document of a placeholder; nil for any other name.
    func document(ofPlaceholder name: String) -> String? {
        guard name.utf8.first == UInt8(ascii: "."), name.hasSuffix(Self.placeholderEnding) else {
            return nil
        }
        return String(name.dropFirst().dropLast(Self.placeholderEnding.count))
    }

    /// Throws if there is a placeholder instead of a document: it is not absent.
    func requireDownloaded(_ place: FilePlace, _ files: StoreFiles) throws(FileFailure) {
        let path = place.placeholder
        guard try files.status(of: path) != nil else { return }
        var failure = FileFailure(operation: "read", path: path, code: EAGAIN)
        failure.isPlaceholder = true
        throw failure
    }

    /// Returns the location that the stored form assigns to a document, whether or not the document
    /// exists.
    ///
    /// For a lower-case UUID, the location depends on whether the file system distinguishes case.
    func place(
        _ key: String, in collection: String, _ files: StoreFiles
    ) throws(FileFailure) -> FilePlace {
        var part = FileNamePart(key)
        // On a file system that ignores case, the two forms of a UUID would be one file. The
        // lower-case form then uses another name.
        if isLowerCaseUUID(key), try !isCaseSensitive(files) { part = .encodingLetters(of: key) }
        return FilePlace(
            folder: folder(collection), name: fileName(part.encoded),
            idName: part.isHashed ? "id_\(part.encoded.suffix(64)).txt" : nil)
    }

    /// Returns the location of a file that a person created for an id, with the unencoded id in its
    /// name.
    ///
    /// Returns nil if there is no such file or if the key is in the form that the encoder produces.
    /// The name must match byte for byte. If the file system might treat another name as equal, the
    /// listing of the folder decides.
    func byHand(
        _ key: String, in collection: String, _ files: StoreFiles, mustBeFile: Bool = false
    ) throws(FileFailure) -> FilePlace? {
        guard !key.utf8.contains(UInt8(ascii: "/")), case .byHand? = FileNamePart.meaning(of: key)
        else { return nil }
        let name = fileName(key)
        guard name.utf8.count <= 255 else { return nil }
        let place = FilePlace(folder: folder(collection), name: name, idName: nil)
        guard let status = try files.status(of: place.path) else { return nil }
        let isASCII = key.utf8.allSatisfy { $0 < 0x80 }
        var isThere = isASCII
        if isASCII { isThere = try isCaseSensitive(files) }
        if !isThere { isThere = try isListed(place, files) }
        if isThere, mustBeFile { try status.checkIsFile(place.path) }
        return isThere ? place : nil
    }

    /// Returns whether a file found by the name of a UUID has exactly that name, not a name that
    /// differs in case.
    func isExact(
        _ place: FilePlace, _ key: String, _ files: StoreFiles
    ) throws(FileFailure) -> Bool {
        guard FileNamePart.isUUID(key), try !isCaseSensitive(files) else { return true }
        return try isListed(place, files)
    }

    /// Returns whether the listing of the folder contains the exact name. Cost: one listing of the
    /// folder.
    private func isListed(_ place: FilePlace, _ files: StoreFiles) throws(FileFailure) -> Bool {
        try files.namesIfPresent(in: place.folder).contains {
            String.isSameIdentifier($0, place.name)
        }
    }

    /// Returns whether a key is a UUID whose letters are in lower case. A UUID without letters is
    /// not.
    private func isLowerCaseUUID(_ key: String) -> Bool {
        FileNamePart.isUUID(key) && key.utf8.contains { $0 >= UInt8(ascii: "a") }
    }

    /// Whether the file system is known to distinguish case.
    var isKnownToBeCaseSensitive: Bool { caseSensitivity.load(ordering: .relaxed) == 1 }

    /// Returns whether the file system distinguishes case, and caches the answer.
    ///
    /// The test looks for the store's own folder under an upper-case name. Before that folder
    /// exists, the safe answer is false.
    private func isCaseSensitive(_ files: StoreFiles) throws(FileFailure) -> Bool {
        let known = caseSensitivity.load(ordering: .relaxed)
        if known >= 0 { return known == 1 }
        guard try files.status(of: ownFolder) != nil else { return false }
        let answer = try files.status(of: ".REPOSITORY") == nil
        caseSensitivity.store(answer ? 1 : 0, ordering: .relaxed)
        return answer
    }

    /// The file name of a document.
    private func fileName(_ part: String) -> String { "item_\(part).\(formatExtension)" }

    /// Decodes the name of a file found in a folder of documents. Returns nil for a file that is
    /// not a document of this format.
    func meaning(of name: String) -> FileNamePart.Meaning? {
        let ending = ".\(formatExtension)".utf8
        let bytes = Array(name.utf8)
        guard bytes.starts(with: "item_".utf8), bytes.count > 5 + ending.count,
            bytes.suffix(ending.count).elementsEqual(ending)
        else { return nil }
        let part = bytes.dropFirst(5).dropLast(ending.count)
        return FileNamePart.meaning(of: String(decoding: part, as: UTF8.self))
    }
}

/// The location of one document.
struct FilePlace: Sendable {
    /// The path of the folder relative to the root.
    var folder: String
    /// The name of the file.
    var name: String
    /// The name of the file that stores an id too long for a file name; nil for other ids.
    var idName: String?

    /// The path of the file relative to the root.
    var path: String { path(of: name) }
    /// The path of the placeholder that a synchronized folder has if the file is not on this device.
    var placeholder: String { path(of: "." + name + FileLayout.placeholderEnding) }
    /// The path of the file that stores the id.
    var idPath: String? { idName.map(path) }

    private func path(of name: String) -> String { folder.isEmpty ? name : folder + "/" + name }
}

/// Checks of files that have the name of a record.
extension FileStatus {
    /// Throws if what has the name of a record is not a regular file and therefore cannot be
    /// replaced or removed as a record.
    func checkIsFile(_ path: String) throws(FileFailure) {
        guard kind != .file else { return }
        var failure = FileFailure(operation: "replace", path: path, code: EISDIR)
        failure.obstacle = kind
        throw failure
    }
}
