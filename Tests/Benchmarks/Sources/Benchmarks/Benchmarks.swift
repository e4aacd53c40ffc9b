import Foundation

/// Prints a table of how fast this package is beside its limits and its peers, and writes the same
/// as JSON.
///
/// `benchmarks <package> [<word> [<records>]]`: `.build/benchmarks.json` is written in the folder
/// of the package. Only lines whose names hold the word are run; those that build and start other
/// programs, whose names begin with `generate`, only with one; those of very many records only with
/// one that begins with `scale`. With `RECORD=1` in the environment the tables of the documentation
/// get the lines that were run. With `SIDE=ours`, `limit` or `peer` that side of each line runs
/// once and tells how many operations it held, for programs that count instructions.
@main
enum Benchmarks {
    // Without @concurrent the lines that do not say so would run on the main actor.
    @concurrent
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 1 else {
            print("usage: benchmarks <package> [<word> [<records>]]")
            exit(64)
        }
        // The programs that lines start have folders of their own.
        let package = URL(fileURLWithPath: arguments[1]).standardizedFileURL.path
        let folder = URL(fileURLWithPath: package).appendingPathComponent(".build")
        let word = arguments.count > 2 ? arguments[2] : ""
        let scratch = try Scratch(folder.appendingPathComponent("benchmarks"))
        let workloads =
            sqliteReads(scratch) + sqliteWrites(scratch) + sqliteReferences(scratch)
            + sqliteRelatives(scratch) + sqliteSearch(scratch) + memory() + memoryQueries()
            + files(scratch)
            + patches(scratch) + formats() + linear() + migrations(scratch)
        let builds = MainPackage(
            root: package, folder: folder.appendingPathComponent("benchmarks-generator").path)
        let server = ProcessInfo.processInfo.environment["REPOSITORY_POSTGRESQL"] ?? ""
        let cluster = ProcessInfo.processInfo.environment["REPOSITORY_CITUS"] ?? ""
        let servers = postgreSQL(server) + postgreSQL(cluster, engine: "citus")
        let all = workloads + servers + generator(scratch, builds) + imports(scratch, builds)
        var chosen = word.isEmpty ? workloads + servers : all.filter { $0.name.contains(word) }
        if server.isEmpty { chosen.removeAll { $0.name.hasPrefix("postgresql:") } }
        if cluster.isEmpty { chosen.removeAll { $0.name.hasPrefix("citus:") } }
        if let side = ProcessInfo.processInfo.environment["SIDE"], !side.isEmpty {
            for workload in chosen {
                let count = try await Comparison().runOnce(side, of: workload)
                print("\(workload.name)\t\(count ?? 0)")
            }
            return try scratch.remove()
        }
        var results: [Result] = []
        print(Result.head)
        if word.hasPrefix("scale") {
            let many = arguments.count > 3 ? Int(arguments[3]) ?? 1_000_000 : 1_000_000
            func give(_ result: Result) {
                print(result.line)
                fflush(nil)
                results.append(result)
            }
            try await Scale(many: many, scratch: scratch).run(word, give)
            try await MigrationScale(many: many, scratch: scratch).run(word, give)
        }
        try Allocations.run(word) { result in
            print(result.line)
            results.append(result)
        }
        for workload in chosen {
            let result = try await Comparison().result(of: workload)
            print(result.line)
            // The table is read while it grows, also through a pipe.
            fflush(nil)
            results.append(result)
        }
        try scratch.remove()
        if ProcessInfo.processInfo.environment["RECORD"] == "1" {
            try RecordedTables(package: package).record(
                results,
                among: all.map(\.name) + Allocations.names + Scale.names
                    + MigrationScale.names)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
        try encoder.encode(results).write(to: folder.appendingPathComponent("benchmarks.json"))
    }
}
