internal import Foundation
internal import Synchronization

/// A clock that advances by one second with each reading, and a source of consecutive ids.
final class TrialClock: Sendable {
    /// The time before the first reading: 2024-02-29 12:00:00 UTC.
    static let start = Date(timeIntervalSince1970: 1_709_208_000)

    private let readings = Atomic(0)
    private let ids = Atomic(0)

    /// Returns the next second.
    var now: @Sendable () -> Date {
        { Self.start + Double(self.readings.add(1, ordering: .relaxed).newValue) }
    }

    /// Returns the next id.
    var uuid: @Sendable () -> UUID {
        {
            let number = UInt32(truncatingIfNeeded: self.ids.add(1, ordering: .relaxed).newValue)
            return UUID(
                uuid: (
                    0xC0, 0xDE, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0,
                    UInt8(truncatingIfNeeded: number >> 24),
                    UInt8(truncatingIfNeeded: number >> 16),
                    UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)
                ))
        }
    }
}
