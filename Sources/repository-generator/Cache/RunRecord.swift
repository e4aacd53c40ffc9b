internal import Foundation
internal import RepositoryGeneratorCore
internal import RepositorySchema

/// A run that left every generated file as it should be.
struct RunRecord: Equatable {
    /// What it was made from.
    let inputs: UInt64
    /// The hash of the paths and bytes of all generated files.
    let outputs: UInt64
    /// How many they are.
    let count: Int
    /// The name of the output folder.
    let outputName: String

    /// The record of a run that made files.
    init(_ inputs: RunInputs, made files: [OutputFile], in outputName: String) {
        self.inputs = inputs.digest
        outputs = Self.digest(
            files.map(\.path), files.concurrentlyMapped { XXHash64.hash(of: $0.text) })
        count = files.count
        self.outputName = outputName
    }

    /// Whether a folder holds what the run left there, byte for byte, and nothing more.
    func isStanding(in folder: String) throws -> Bool {
        let listing = try OutputListing(folder)
        guard listing.leftBehind.isEmpty, listing.generated.count == count else { return false }
        let hashes = listing.generated.concurrentlyMapped { name in
            Result { try BoundedFile.bytes(at: Locations.path(folder, name), limit: Self.limit) }
                .map { XXHash64.hash(of: $0) }
        }
        return try Self.digest(listing.generated, hashes.map { try $0.get() }) == outputs
    }

    /// No generated file comes near this; the hash of a larger one's beginning is not that of any.
    private static let limit = 64 << 20

    private static func digest(_ paths: [String], _ hashes: [UInt64]) -> UInt64 {
        var hasher = XXHash64()
        for (path, hash) in zip(paths, hashes).sorted(by: { $0.0 < $1.0 }) {
            hasher.update(UInt64(path.utf8.count))
            hasher.update(path)
            hasher.update(hash)
        }
        return hasher.digest()
    }
}

extension RunRecord {
    private static let kind = "repository-generator run 1"

    /// The text of the record, with a hash of it all at the end.
    var text: String {
        let body = "\(Self.kind)\n\(inputs)\n\(outputs)\n\(count)\n\(outputName)\n"
        return body + "\(XXHash64.hash(of: body))\n"
    }

    /// Reads a record; nil when the text is anything else.
    init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 7, lines[0] == Self.kind, let inputs = UInt64(lines[1]),
            let outputs = UInt64(lines[2]), let count = Int(lines[3])
        else { return nil }
        self.inputs = inputs
        self.outputs = outputs
        self.count = count
        outputName = String(lines[4])
        // Whatever was changed or cut off, the hash at the end says so.
        guard self.text == text else { return nil }
    }
}
