internal import ArgumentParser
internal import Foundation
internal import RepositoryImport

/// The `inspect` command: says what a database file is and has.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Prints what a database file is, its classes and how many objects they have.",
        discussion: """
            Needs no schema. Every value of the file is read, so that damage is found; neither the file \
            nor those beside it are changed.

            Reads files of Realm, formats 2 to 24, also encrypted ones, and stores of Core Data and \
            SwiftData with the model inside.

            Exits with 3 when the file cannot be read, is damaged, or is of no known kind.
            """)

    @Argument(help: "The file.")
    var file: String

    @OptionGroup var key: KeyOption

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() throws {
        try Tool.standard.inspect(file, key: key.bytes, asJSON: json).throwExit()
    }
}

/// The key of an encrypted file.
struct KeyOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The key of an encrypted file in hexadecimal digits; 128 for a Realm file.",
            valueName: "hex"))
    var key: String?

    /// The key as bytes; `nil` if there is none.
    var bytes: [UInt8]? { key.flatMap(Self.bytes) }

    func validate() throws {
        guard key == nil || bytes != nil else {
            throw ValidationError("'--key' takes hexadecimal digits, two for each byte")
        }
    }

    /// Returns the bytes that hexadecimal digits say; `nil` if something else stands there.
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count, digits.count % 2 == 0, !digits.isEmpty else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }
}

extension Tool {
    /// Prints what a file is and has.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - key: the key of an encrypted file.
    ///   - isJSON: whether it is printed as one JSON object.
    func inspect(_ path: String, key: [UInt8]? = nil, asJSON isJSON: Bool = false) -> ExitStatus {
        reporting {
            let file: InspectedFile
            do {
                file = try InspectedFile.inspect(path, key: key)
            } catch {
                problem("\(error)")
                return .unreadable
            }
            guard isJSON else {
                for line in file.lines { out(line) }
                return .success
            }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            out(String(decoding: try encoder.encode(file), as: UTF8.self))
            return .success
        }
    }
}
