public import Foundation
internal import Synchronization

/// Version 7 UUIDs (RFC 9562, section 5.7): 48 bits of milliseconds since 1970, a counter, and
/// random bits. Keys created in succession are adjacent in an index.
public enum UUIDVersion7 {
    /// The milliseconds and counter of the latest UUID. Both are shared by the process, so that
    /// UUIDs increase across tasks.
    private struct State {
        var milliseconds: UInt64 = 0
        var counter: UInt64 = 0
    }

    private static let state = Mutex(State())

    /// Returns a new UUID that is greater than all that this process created before (RFC 9562,
    /// section 6.2, method 1).
    public static func next() -> UUID {
        let clock = UInt64(max(0, Date().timeIntervalSince1970 * 1000))
        let (milliseconds, counter) = state.withLock { state in
            if clock > state.milliseconds {
                state = State(milliseconds: clock, counter: UInt64.random(in: 0..<0x800))
            } else if state.counter == 0xFFF {
                state = State(milliseconds: state.milliseconds + 1, counter: 0)
            } else {
                state.counter += 1
            }
            return (state.milliseconds, state.counter)
        }
        let high = milliseconds << 16 | 0x7000 | counter
        let low = 0x8000_0000_0000_0000 | UInt64.random(in: 0..<0x4000_0000_0000_0000)
        func byte(_ word: UInt64, _ index: UInt64) -> UInt8 {
            UInt8(truncatingIfNeeded: word >> (56 - 8 * index))
        }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3),
                byte(high, 4), byte(high, 5), byte(high, 6), byte(high, 7),
                byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
                byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }
}
