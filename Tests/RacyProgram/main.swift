// Two threads that change a number without a lock. `make test-sanitized` runs it to see that the sanitizer says so.

import Foundation

/// A number that nothing guards.
final class Unguarded: @unchecked Sendable {
    // Unchecked on purpose: the race is what the program is for.
    var number = 0
}

let shared = Unguarded()
let done = DispatchSemaphore(value: 0)
for _ in 0..<2 {
    // Dispatch may run two bodies on one thread, one after the other, which is no race.
    Thread.detachNewThread {
        for _ in 0..<10_000 { shared.number += 1 }
        done.signal()
    }
}
done.wait()
done.wait()
print(shared.number)
