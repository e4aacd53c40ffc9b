internal import Foundation

/// The values in files of their own: `.<name>_SUPPORT/_EXTERNAL_DATA` in the folder of the store.
struct ExternalData: Sendable {
    private let folders: [URL]

    /// Finds the folders of a store.
    init(store path: String) {
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent()
        let names = [url.deletingPathExtension().lastPathComponent, url.lastPathComponent]
        folders = names.map {
            folder.appendingPathComponent(".\($0)_SUPPORT/_EXTERNAL_DATA", isDirectory: true)
        }
    }

    /// Returns the value that the bytes of a column represent.
    ///
    /// - Throws: ``CoreDataFileError`` if the bytes are not of this form, or name a file elsewhere.
    func value(_ bytes: Data, label: String) throws(CoreDataFileError) -> ObjectValue {
        switch bytes.first {
        case nil: return .data(bytes)
        case 1: return .data(Data(bytes.dropFirst()))
        case 2:
            let name = String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
            guard !name.isEmpty, name != ".", name != "..", !name.contains("/"),
                !name.contains("\\")
            else {
                throw CoreDataFileError(
                    .damaged, "\(label) names the external file '\(name)', which is not allowed.")
            }
            for folder in folders {
                let path = folder.appendingPathComponent(name).path
                // A link to a file elsewhere is not followed.
                guard
                    let attributes = try? FileManager.default.attributesOfItem(atPath: path),
                    attributes[.type] as? FileAttributeType == .typeRegular
                else { continue }
                do {
                    return .data(try Data(contentsOf: URL(fileURLWithPath: path)))
                } catch {
                    throw CoreDataFileError(
                        .unreadable,
                        "The external file '\(name)' of \(label) cannot be read: \(error)")
                }
            }
            return .missingFile(name)
        case let first?:
            throw CoreDataFileError(
                .unknown,
                "\(label) allows external data, but its value begins with the byte \(first).")
        }
    }
}
