internal import Foundation
internal import RepositoryGeneratorCore
internal import RepositorySchema

/// The record of a run after which all generated files were up to date.
struct RunRecord: Equatable {
    /// The hash of the inputs; see ``RunInputs``.
    let inputs: UInt64
    /// The hash of the paths and contents of all generated files.
    let outputs: UInt64
    /// The number of generated files.
    let count: Int
    /// The name of the output folder, as in the settings.
    let outputName: String

    /// Creates the record of a run.
    ///
    /// - Parameters:
    ///   - inputs: the inputs of the run.
    ///   - files: all generated files.
    ///   - outputName: the name of the output folder.
    init(_ inputs: RunInputs, made files: [OutputFile], in outputName: String) {
        self.inputs = inputs.digest
        outputs = Self.digest(
            files.map(\.path), files.concurrentlyMapped { XXHash64.hash(of: $0.text) })
        count = files.count
        self.outputName = outputName
    }

    /// Returns whether a folder contains exactly the files of the run, byte for byte.
    ///
    /// - Throws: ``FileProblem``.
    func isStanding(in folder: String) throws -> Bool {
        let listing = try OutputListing(folder)
        guard listing.leftBehind.isEmpty, listing.generated.count == count else { return false }
        let hashes = listing.generated.concurrentlyMapped { name in
            Result { try BoundedFile.bytes(at: Locations.path(folder, name), limit: Self.limit) }
                .map { XXHash64.hash(of: $0) }
        }
        return try Self.digest(listing.generated, hashes.map { try $0.get() }) == outputs
    }

    /// The number of bytes that are read of a file. Generated files are far smaller; a larger file
    /// has another hash.
    private static let limit = 64 << 20

    /// Hashes paths with the hashes of their files, in the order of the paths.
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
    /// The first line of a record, with the version of the format.
    private static let kind = "repository-generator run 1"

    /// The text of the record. Its last line is a hash of the other lines.
    var text: String {
        let body = "\(Self.kind)\n\(inputs)\n\(outputs)\n\(count)\n\(outputName)\n"
        return body + "\(XXHash64.hash(of: body))\n"
    }

    /// Parses a record. The result is `nil` if the text is not a valid record.
    init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 7, lines[0] == Self.kind, let inputs = UInt64(lines[1]),
            let outputs = UInt64(lines[2]), let count = Int(lines[3])
        else { return nil }
        self.inputs = inputs
        self.outputs = outputs
        self.count = count
        outputName = String(lines[4])
        // The hash in the last line detects a changed or truncated record.
        guard self.text == text else { return nil }
    }
}
