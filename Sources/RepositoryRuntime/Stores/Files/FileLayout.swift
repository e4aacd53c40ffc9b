internal import Foundation
internal import Synchronization

/// Where the documents of a file store lie, by the frozen stored form, and where its own files lie
/// beside them.
///
/// A record is `<folder>/item_<id>.<extension>` (see ``FileNamePart``). The folder is the root
/// itself for the empty collection, which is a repository of opaque items, and otherwise a folder
/// of the root, named for the table. What belongs to the store itself lies in the root's folder
/// `.repository`, a name that no table has.
final class FileLayout: Sendable {
    let root: String
    let formatExtension: String
    /// Whether names that differ in case are different files: -1 while that is not known, then 0 or
    /// 1.
    private let caseSensitivity = Atomic(-1)
    /// The bytes of a path before its folder and behind its key.
    let plainRoot: [UInt8]
    let plainEnding: [UInt8]

    init(root: URL, formatExtension: String) {
        self.root = StoreFiles.resolved(root)
        self.formatExtension = PercentEncoding.encode(formatExtension) {
            $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/")
        }
        plainRoot = Array("\(self.root)/".utf8)
        plainEnding = Array(".\(self.formatExtension)\0".utf8)
    }

    /// The folder of the store's own files, in the root.
    let ownFolder = ".repository"

    /// The folder of a collection; empty for the root.
    func folder(_ collection: String) -> String {
        if let table = DocumentIndexNames.table(of: collection) {
            return ownFolder + "/index_" + FileNamePart(table).encoded
        }
        return collection.isEmpty ? "" : FileNamePart(collection).encoded
    }

    /// The place of a document that is there; nil when it is not.
    ///
    /// - Parameter mustBeFile: whether a folder or a link that has the document's name is an error.
    func existing(
        _ key: String, in collection: String, _ files: StoreFiles, mustBeFile: Bool = false
    ) throws(FileFailure) -> FilePlace? {
        let place = try place(key, in: collection, files)
        if let status = try files.status(of: place.path), try isExact(place, key, files) {
            if mustBeFile { try status.checkIsFile(place.path) }
            return place
        }
        return try byHand(key, in: collection, files, mustBeFile: mustBeFile)
    }

    /// The place that the stored form gives a document.
    func place(
        _ key: String, in collection: String, _ files: StoreFiles
    ) throws(FileFailure) -> FilePlace {
        var part = FileNamePart(key)
        // On a file system that ignores case the two forms of a UUID would be one file: the
        // lower-case one gives way.
        if isLowerCaseUUID(key), try !isCaseSensitive(files) { part = .encodingLetters(of: key) }
        return FilePlace(
            folder: folder(collection), name: fileName(part.encoded),
            idName: part.isHashed ? "id_\(part.encoded.suffix(64)).txt" : nil)
    }

    /// The file that somebody wrote by hand for an id, with the id in its name as it stands.
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

    /// Whether a file found under the name of a UUID has that very name, not one of other case.
    func isExact(
        _ place: FilePlace, _ key: String, _ files: StoreFiles
    ) throws(FileFailure) -> Bool {
        guard FileNamePart.isUUID(key), try !isCaseSensitive(files) else { return true }
        return try isListed(place, files)
    }

    private func isListed(_ place: FilePlace, _ files: StoreFiles) throws(FileFailure) -> Bool {
        try files.namesIfPresent(in: place.folder).contains {
            String.isSameIdentifier($0, place.name)
        }
    }

    private func isLowerCaseUUID(_ key: String) -> Bool {
        FileNamePart.isUUID(key) && key.utf8.contains { $0 >= UInt8(ascii: "a") }
    }

    /// Whether names that differ in case are known to be different files.
    var isKnownToBeCaseSensitive: Bool { caseSensitivity.load(ordering: .relaxed) == 1 }

    /// The store's own folder, asked for in capitals, tells; before it is made, the safe answer is
    /// no.
    private func isCaseSensitive(_ files: StoreFiles) throws(FileFailure) -> Bool {
        let known = caseSensitivity.load(ordering: .relaxed)
        if known >= 0 { return known == 1 }
        guard try files.status(of: ownFolder) != nil else { return false }
        let answer = try files.status(of: ".REPOSITORY") == nil
        caseSensitivity.store(answer ? 1 : 0, ordering: .relaxed)
        return answer
    }

    private func fileName(_ part: String) -> String { "item_\(part).\(formatExtension)" }

    /// What the name of a listed file says.
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

/// The place of one document.
struct FilePlace: Sendable {
    /// The folder's path below the root.
    var folder: String
    /// The file's name.
    var name: String
    /// The name of the file that keeps an id too long for a name; nil for others.
    var idName: String?

    /// The file's path below the root.
    var path: String { path(of: name) }
    /// The path of the file that keeps the id.
    var idPath: String? { idName.map(path) }

    private func path(of name: String) -> String { folder.isEmpty ? name : folder + "/" + name }
}

extension FileStatus {
    /// Checks that what has a record's name can be replaced and removed as one.
    func checkIsFile(_ path: String) throws(FileFailure) {
        guard kind != .file else { return }
        var failure = FileFailure(operation: "replace", path: path, code: EISDIR)
        failure.obstacle = kind
        throw failure
    }
}
