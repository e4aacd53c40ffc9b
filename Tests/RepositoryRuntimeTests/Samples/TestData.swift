import Foundation

/// Where the data that tests share lies.
enum TestData {
    /// A folder of the shared data; nil where there is none, and then tests say that they were skipped.
    static func folder(_ name: String) -> URL? {
        let root: URL
        if let path = ProcessInfo.processInfo.environment["REPOSITORY_TEST_DATA"] {
            root = URL(fileURLWithPath: path)
        } else {
            root = URL(fileURLWithPath: #filePath)
                .deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent()
                .appendingPathComponent("../shared/data")
        }
        let folder = root.appendingPathComponent(name)
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }
}

/// Random numbers that a seed repeats (SplitMix64, S. Vigna).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
