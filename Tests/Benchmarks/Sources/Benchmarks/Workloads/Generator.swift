import Foundation

/// The generator as a program, and what compiling its output and itself takes. Other programs are built and run for it.
func generator(_ scratch: Scratch, _ package: MainPackage) -> [Workload] {
    let configurations = ["release", "debug"]
    return configurations.map { first(scratch, package, $0) }
        + configurations.map { again(scratch, package, $0) }
        + [20, 1_000].map { watching(scratch, package, entities: $0) }
        + [linear(scratch, package), compilation(scratch, package), build(scratch, package)]
}

private func first(
    _ scratch: Scratch, _ package: MainPackage, _ configuration: String
) -> Workload {
    Workload(name: "generate 1,000 entities, \(configuration)", unit: .milliseconds) {
        let program = try package.generator(configuration)
        let place = try GeneratorPlace(scratch, entities: 1_000)
        return Sides(
            ours: Side { try place.generate(program, anew: true) },
            limit: Side("libyaml") { try place.parse() })
    }
}

private func again(
    _ scratch: Scratch, _ package: MainPackage, _ configuration: String
) -> Workload {
    Workload(name: "generate 1,000 entities again, \(configuration)", unit: .milliseconds) {
        let program = try package.generator(configuration)
        let changed = try GeneratorPlace(scratch, entities: 1_000)
        let unchanged = try GeneratorPlace(scratch, entities: 1_000)
        _ = try unchanged.generate(program, anew: true)
        return Sides(
            ours: Side { try unchanged.generate(program, anew: false) },
            limit: Side("the first time") { try changed.generate(program, anew: true) })
    }
}

private func watching(_ scratch: Scratch, _ package: MainPackage, entities: Int) -> Workload {
    Workload(name: "generate --watch, a save in \(entities) entities", unit: .milliseconds) {
        let place = try GeneratorPlace(scratch, entities: entities)
        let watching = try WatchingGenerator(package.generator("release"), place)
        return Sides(ours: Side { try watching.save() })
    }
}

private func linear(_ scratch: Scratch, _ package: MainPackage) -> Workload {
    Workload(
        name: "generate 10,000 entities, for 1,000", count: 10, unit: .milliseconds, rounds: 3
    ) {
        let program = try package.generator("release")
        let many = try GeneratorPlace(scratch, entities: 10_000)
        let few = try GeneratorPlace(scratch, entities: 1_000)
        return Sides(
            ours: Side { try many.generate(program, anew: true) },
            limit: Side("1,000 entities") {
                try (0..<10).reduce(.zero) { sum, _ in
                    try sum + few.generate(program, anew: true)
                }
            })
    }
}

private func compilation(_ scratch: Scratch, _ package: MainPackage) -> Workload {
    let entities = 100
    return Workload(
        name: "generate: compile the output, for each of \(entities) entities", count: entities,
        unit: .milliseconds, rounds: 5
    ) {
        let place = try GeneratorPlace(scratch, entities: entities)
        _ = try place.generate(package.generator("debug"), anew: true)
        let modules = try package.runtimeModules()
        let structs = try scratch.newFolder("structs")
        try SampleSchemas(count: entities).writeStructs(to: structs)
        return Sides(
            ours: Side { try compile(place.output, scratch, modules) },
            peer: Side("synthesised Codable and Hashable") { try compile(structs, scratch, []) })
    }
}

private func build(_ scratch: Scratch, _ package: MainPackage) -> Workload {
    Workload(
        name: "generate: build the generator from clean", unit: .seconds, rounds: 3, warmsUp: false
    ) {
        // What was built before stays: see `GeneratorPlace.generate`.
        Sides(ours: Side { try package.buildGeneratorFromClean(in: scratch.file("build")) })
    }
}

/// Compiles the sources of a folder as a debug build does.
private func compile(_ sources: URL, _ scratch: Scratch, _ flags: [String]) throws -> Duration {
    let files = try FileManager.default.contentsOfDirectory(
        at: sources, includingPropertiesForKeys: nil
    ).map(\.path).sorted()
    let output = try scratch.newFolder("objects")
    let command = [
        "-c", "-Onone", "-enable-batch-mode", "-j2", "-module-name", "Samples", "-swift-version",
        "6", "-emit-module", "-emit-module-path", "\(output.path)/Samples.swiftmodule",
        "-working-directory", output.path,
    ]
    return try Command("swiftc", command + flags + files).run()
}
