import Foundation
import RepositoryMoving
import RepositoryRuntime
import Testing

/// Copies that end in the middle.
@Suite("An interrupted copy")
struct InterruptedCopyTests {
    @Test("goes on where it was interrupted, after each of its transactions")
    func interruptions() async throws {
        struct Killed: Error {}
        let stores = try OfficeStores()
        let source = stores.store(.filesJSON, "source")
        try await OfficeStores.fill(source, people: 20)
        var steps = 0
        while true {
            steps += 1
            let target = stores.store(.sqlite, "target\(steps)")
            let counter = Counter()
            var options = CopyOptions()
            options.batchSize = 7
            options.afterCommit = { [steps] in if await counter.next() == steps { throw Killed() } }
            do {
                try await Office.copy(from: source, to: target, options)
                break
            } catch is Killed {}
            // Another process goes on.
            try await target.close()
            let again = stores.store(.sqlite, "target\(steps)")
            let report = try await Office.copy(from: source, to: again)
            #expect(report.isComplete && report.isEqual, "after \(steps): \(report)")
            try await again.close()
        }
        #expect(steps > 8)
    }
}
