import Foundation

/// A generator that stays and generates again after every save.
final class WatchingGenerator {
    private let process = Process()
    private let place: GeneratorPlace
    private var saves = 0

    /// A file that was not generated within a minute.
    struct Silence: Error {
        let path: String
    }

    /// Starts it, and waits until it has generated all.
    init(_ program: String, _ place: GeneratorPlace) throws {
        self.place = place
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["generate", "--watch"] + place.arguments
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        // The set's own file is written last.
        try wait(for: "Sample.repositories") { $0 != nil }
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    /// Saves a schema; how long it takes until the file is generated.
    func save() throws -> Duration {
        let name = SampleSchemas.name(0)
        saves += 1
        let schema = place.schemas.appendingPathComponent("\(name).yaml")
        let old = fileNumber(name)
        let text = SampleSchemas.text(name, doc: "One of many, at save \(saves).")
        return try timed {
            try text.write(to: schema, atomically: true, encoding: .utf8)
            // The new file stands beside the old one before it takes its name, so their numbers differ.
            try wait(for: name) { $0 != nil && $0 != old }
        }
    }

    private func wait(for name: String, until isReady: (Int?) -> Bool) throws {
        for _ in 0..<300_000 {
            if isReady(fileNumber(name)) { return }
            usleep(200)
        }
        throw Silence(path: name)
    }

    private func fileNumber(_ name: String) -> Int? {
        let path = place.output.appendingPathComponent("\(name).generated.swift").path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.systemFileNumber] as? Int
    }
}
