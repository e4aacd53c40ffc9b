// Two threads that change a number without a lock. `make test-sanitized` runs it to see that the sanitizer says so.

import Foundation

/// A number that nothing guards.
final class Unguarded: @unchecked Sendable {
    // Unchecked on purpose: the race is what the program is for.
    var number = 0
}

let shared = Unguarded()
let done = DispatchGroup()
for _ in 0..<2 {
    DispatchQueue(label: "racer").async(group: done) {
        for _ in 0..<10_000 { shared.number += 1 }
    }
}
done.wait()
print(shared.number)
