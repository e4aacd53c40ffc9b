internal import Foundation

/// The versions of a model in a file or folder beside the store.
struct ModelVersions {
    /// A version of a model.
    struct Version {
        let label: String
        let model: StoreModel
        /// The hash of each entity, where the folder lists it.
        let hashes: [String: Data]?
        let isCurrent: Bool
    }

    /// The versions, in the order of their names.
    let versions: [Version]

    /// Reads a `.momd`, `.mom`, `.xcdatamodeld` or `.xcdatamodel`, or the `contents` of the last.
    ///
    /// - Throws: ``CoreDataFileError``.
    init(path: String) throws(CoreDataFileError) {
        let url = URL(fileURLWithPath: path)
        let label = url.lastPathComponent
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CoreDataFileError(.unreadable, "There is no model at '\(path)'.")
        }
        guard isFolder.boolValue, url.pathExtension != "xcdatamodel" else {
            let model = try Self.model(url, label)
            versions = [Version(label: label, model: model, hashes: nil, isCurrent: true)]
            return
        }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
                .sorted(by: NameOrder.precedes)
        } catch {
            throw CoreDataFileError(.unreadable, "The folder '\(path)' cannot be read: \(error)")
        }
        var found: [Version] = []
        if url.pathExtension == "xcdatamodeld" {
            let files = names.filter { $0.hasSuffix(".xcdatamodel") }
            let current = try Self.propertyList(url, ".xccurrentversion")?["_XCCurrentVersionName"]
            for name in files {
                let model = try Self.model(url.appendingPathComponent(name), name)
                let isCurrent = current.map { $0.string == name } ?? (files.count == 1)
                found.append(
                    Version(label: name, model: model, hashes: nil, isCurrent: isCurrent))
            }
        } else {
            let info = try Self.propertyList(url, "VersionInfo.plist")
            let current = info?["NSManagedObjectModel_CurrentVersionName"]?.string
            let hashes = info?["NSManagedObjectModel_VersionHashes"]
            for name in names where name.hasSuffix(".mom") {
                let model = try Self.model(url.appendingPathComponent(name), name)
                let version = String(name.dropLast(4))
                found.append(
                    Version(
                        label: name, model: model, hashes: hashes?[version]?.dataByKey,
                        isCurrent: version == current))
            }
        }
        guard !found.isEmpty else {
            throw CoreDataFileError(.otherFormat, "The folder '\(path)' contains no data model.")
        }
        versions = found
    }

    private static func propertyList(
        _ folder: URL, _ name: String
    ) throws(CoreDataFileError) -> PlainValue? {
        let url = folder.appendingPathComponent(name)
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        return try PlainValue(propertyList: try bytes(url))
    }

    private static func bytes(_ url: URL) throws(CoreDataFileError) -> [UInt8] {
        do {
            return Array(try Data(contentsOf: url))
        } catch {
            throw CoreDataFileError(.unreadable, "'\(url.path)' cannot be read: \(error)")
        }
    }

    private static func model(_ url: URL, _ label: String) throws(CoreDataFileError) -> StoreModel {
        let isFolder = url.pathExtension == "xcdatamodel"
        let found = try bytes(isFolder ? url.appendingPathComponent("contents") : url)
        if isFolder || label == "contents" || found.starts(with: "<?xml".utf8) {
            return try WrittenModel.model(found, source: label)
        }
        if found.starts(with: "momv2$".utf8) {
            throw CoreDataFileError(
                .unknown,
                "\(label) is the optimised representation of a model (momv2): use the .mom file in the same folder."
            )
        }
        return try ArchivedModel.model(found, source: label)
    }
}

extension PlainValue {
    /// The data of each key of a dictionary.
    var dataByKey: [String: Data]? {
        guard case .dictionary(let pairs) = self else { return nil }
        var found: [String: Data] = [:]
        for pair in pairs {
            if let key = pair.key.string, case .data(let data) = pair.value { found[key] = data }
        }
        return found
    }
}
