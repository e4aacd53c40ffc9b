#if PostgreSQL
    import CrashLedger
    import Foundation
    import RepositoryRuntime
    import RepositoryTesting

    @testable import RepositoryPostgreSQL

    /// An archive in a schema of a server. Its writers are killed again and again, and it knows
    /// what its records must be.
    final class KilledArchive {
        /// The lanes of each of two programs.
        private static let programs = [0..<2, 2..<4]
        private static let lanes = 0..<4
        /// The writes of a program after which it goes on for sure, although a backend was killed.
        private static let mostAfterwards = 300
        /// The name by which the server knows the connections of the programs that are killed.
        private static let victim = "killed"

        private let server: OwnServer
        private let schema: String
        private let seed: UInt64
        private var acknowledged: AcknowledgedLanes<ArchiveRecords>

        init(_ server: OwnServer, schema: String, seed: UInt64) {
            self.server = server
            self.schema = schema
            self.seed = seed
            let archive = Archive(seed: seed)
            acknowledged = AcknowledgedLanes(Self.lanes.count) { number, lane, records in
                archive.step(number, lane: lane, records).apply(to: &records)
            }
        }

        /// Lets two programs write for a moment, kills both, and checks what they have left.
        func killPrograms(_ random: inout SeededGenerator, _ tally: inout KillTally) async throws {
            let isEarly = random.once(in: 6)
            let limits = Self.programs.map { _ in
                isEarly ? 0 : Int.random(in: 1...16, using: &random)
            }
            let delay = UInt32.random(in: 0...(isEarly ? 80_000 : 4_000), using: &random)
            let lines = try await ChildProcess.killed(arguments, after: limits, delay: delay)
            tally.kills += lines.count
            tally.early += lines.count { $0.isEmpty }
            acknowledged.acknowledge(lines.flatMap { $0 }, &tally, problem: problem)
            try await check(&tally)
        }

        /// Kills a backend while two programs write. The server ends all connections, restarts and
        /// recovers. The programs end by themselves, apart from one whose connections waited for
        /// nothing: it goes on with new ones, and is killed some writes later.
        func killBackend(_ random: inout SeededGenerator, _ tally: inout KillTally) async throws {
            let limit = Int.random(in: 2...12, using: &random)
            let arguments = arguments
            let choice = random.next()
            let (children, first) = try await onOwnThread {
                let children = try arguments.map { try ChildProcess($0) }
                for child in children { child.go() }
                var lines: [String] = []
                while lines.count < limit, let line = children[0].line() { lines.append(line) }
                return (Children(children), lines)
            }
            let backends = try await backends()
            if backends.isEmpty {
                tally.problems.append(problem("no backend: \(first)"))
            } else {
                kill(backends[Int(choice % UInt64(backends.count))], SIGKILL)
                tally.backends += 1
            }
            let rest = try await onOwnThread {
                children.list.map { child in
                    var lines: [String] = []
                    while lines.count < Self.mostAfterwards, let line = child.line() {
                        lines.append(line)
                    }
                    child.end()
                    while let line = child.line() { lines.append(line) }
                    return lines
                }
            }
            for lines in rest
            where lines.count < Self.mostAfterwards && lines.last?.hasPrefix("cut ") != true {
                tally.problems.append(problem("ended with '\(lines.last ?? "")'"))
            }
            acknowledged.acknowledge(
                (first + rest.flatMap { $0 }).filter { !$0.hasPrefix("cut ") }, &tally,
                problem: problem)
            try await check(&tally)
        }

        /// Children that one thread after the other uses.
        ///
        /// `@unchecked Sendable`: each thread ends before the next one begins.
        private struct Children: @unchecked Sendable {
            let list: [ChildProcess]
            init(_ list: [ChildProcess]) { self.list = list }
        }

        private var arguments: [[String]] {
            let place = "\(server.address)?application_name=\(Self.victim) \(schema)"
            return Self.programs.map { lanes in
                [
                    "archive", DurableStore.postgresql.rawValue, place, "\(seed)",
                    "\(lanes.lowerBound)", acknowledged.text(lanes),
                ]
            }
        }

        /// The processes of the server that work for the programs. Waits while it restarts.
        private func backends() async throws -> [pid_t] {
            let statement = """
                SELECT pid FROM pg_stat_activity WHERE application_name = '\(Self.victim)' \
                AND backend_type = 'client backend' ORDER BY pid
                """
            while true {
                do {
                    let found = try await server.admin.leasing { try await $0.run(statement) }
                    return (0..<found.count).compactMap { found.integer($0, 0) }.map { pid_t($0) }
                } catch let error as CRUDRepositoryError where error.isRetryable {
                    try await Task.sleep(for: .milliseconds(20))
                } catch let error as PostgreSQLError where error.isConnectionLost {
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
        }

        /// Compares each lane with what the acknowledged writes left, and with that and the next
        /// write; compares the indexes with the records, and checks the store.
        private func check(_ tally: inout KillTally) async throws {
            // What a program had sent before it was killed may still be committed.
            while try await !backends().isEmpty { try await Task.sleep(for: .milliseconds(1)) }
            let library = Archive.library(
                DurableStore.postgresql.make(at: "\(server.address) \(schema)"))
            let found = try await ArchiveRecords.read(library, lanes: Self.lanes)
            acknowledged.compare(found, &tally, problem: problem)
            try await checkIndexes(library, found, &tally)
            try await checkPictures(library, &tally)
            let problems = try await library.check().problems
            tally.problems += problems.map { problem("\($0)") }
            try await library.close()
        }

        /// Finders and searches find what the listing lists, and references have their records.
        private func checkIndexes(
            _ library: Conformance, _ found: [ArchiveRecords], _ tally: inout KillTally
        ) async throws {
            let letters = found.flatMap(\.letters)
            let visible = letters.filter { !$0.value.isErased }
            for word in Archive.words {
                let listed = visible.filter {
                    $0.value.text.split(separator: " ").contains { $0 == word }
                }
                if try await Set(library.letters.search(word).map(\.id)) != Set(listed.map(\.key)) {
                    tally.problems.append(problem("the search index of '\(word)' differs"))
                }
            }
            for weight in Set(letters.map(\.value.weight)) {
                let listed = visible.filter { $0.value.weight == weight }.map(\.key)
                if try await Set(library.letters.findAll(weight: weight).map(\.id)) != Set(listed) {
                    tally.problems.append(problem("the index of weight \(weight) differs"))
                }
            }
            let senders = Set(found.flatMap(\.senders.keys))
            for case let sender? in letters.map(\.value.sender) where !senders.contains(sender) {
                tally.problems.append(problem("a letter refers to '\(sender)'"))
            }
            let albums = Set(found.flatMap(\.albums))
            for case let album? in found.flatMap(\.photos.values).map(\.album)
            where !albums.contains(album) {
                tally.problems.append(problem("a photo refers to '\(album)'"))
            }
        }

        /// Each photo has the data of its number, and there are no other chunks of data.
        private func checkPictures(_ library: Conformance, _ tally: inout KillTally) async throws {
            var chunks = 0
            for photo in try await library.photos.fetch() {
                let picture = Int(photo.title).flatMap { Archive.picture($0) }
                if photo.image != picture {
                    tally.problems.append(problem("'\(photo.id)' has another picture"))
                }
                chunks += ((picture?.size ?? 0) + 262_143) / 262_144
            }
            let statement = "SELECT count(*) FROM \"\(schema)\".\"repository_chunks_photos\""
            let stored = try await server.admin.leasing {
                try await $0.run(statement).integer(0, 0)
            }
            if stored != Int64(chunks) {
                tally.problems.append(
                    problem("\(stored ?? -1) chunks are stored, not \(chunks)"))
            }
        }

        private func problem(_ text: String) -> String { "PostgreSQL, seed \(seed): \(text)" }
    }
#endif
