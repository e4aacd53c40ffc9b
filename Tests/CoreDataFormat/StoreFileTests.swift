import CoreDataFormat
import Foundation
import Testing

/// Stores that Core Data wrote, and some that imitate it, with the objects that are in them.
@Suite("Stores of Core Data")
struct StoreFileTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Files")

    /// The folders of stores: those of the package, and those of a folder that the environment names.
    static let folders: [URL] = {
        var parents = [folder]
        if let more = ProcessInfo.processInfo.environment["REPOSITORY_COREDATA_FILES"] {
            parents.append(URL(fileURLWithPath: more))
        }
        return parents.flatMap { parent in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
            return names.sorted().map { parent.appendingPathComponent($0) }
        }.filter {
            FileManager.default.fileExists(atPath: $0.appendingPathComponent("expected.jsonl").path)
        }
    }()

    /// The lines of an expected file.
    static func expected(_ folder: URL) throws -> [JSONNode] {
        let text = try String(
            contentsOf: folder.appendingPathComponent("expected.jsonl"), encoding: .utf8)
        return try text.split(separator: "\n").map {
            try JSONDecoder().decode(JSONNode.self, from: Data($0.utf8))
        }
    }

    /// The store of a folder.
    static func store(_ folder: URL, _ lines: [JSONNode]) throws -> URL {
        folder.appendingPathComponent(try #require(lines.first?["store"]?["file"]?.string))
    }

    @Test("Every object is as expected, in the order of the keys", arguments: folders)
    func objects(_ folder: URL) throws {
        let lines = try Self.expected(folder)
        let store = try CoreDataStore(path: try Self.store(folder, lines).path)
        var found: [JSONNode] = []
        for entity in store.entities {
            let cursor = try store.objects(entity.name)
            while let object = try cursor.next() { found.append(ObjectListing.node(object)) }
        }
        let expected = lines.filter { $0["object"] != nil }
        #expect(found.count == expected.count)
        for (one, other) in zip(found, expected) where one != other {
            for part in ["attributes", "relationships", "dangling", "object", "version"] {
                guard case .object(let some)? = one[part], case .object(let others)? = other[part]
                else {
                    #expect(one[part] == other[part])
                    continue
                }
                for key in Set(some.keys).union(others.keys) {
                    #expect(
                        some[key] == others[key], "\(part) \(key) of \(other["object"] ?? .null)")
                }
            }
        }
    }

    @Test("Counts, left out tables and faults are as expected", arguments: folders)
    func report(_ folder: URL) throws {
        let lines = try Self.expected(folder)
        let store = try CoreDataStore(path: try Self.store(folder, lines).path)
        let head = try #require(lines.first?["store"])
        let expected = try #require(lines.last?["report"])
        let report = try store.report()
        #expect(JSONNode.string(store.header.identity) == head["uuid"])
        #expect(JSONNode.integer(Int64(store.header.logFrames)) == head["walFrames"])
        #expect(
            JSONNode.list(store.header.metadataKeys.map { .string($0) }) == head["metadataKeys"])
        #expect(
            JSONNode.object(report.counts.mapValues { .integer(Int64($0)) })
                == expected["perEntity"])
        #expect(
            JSONNode.object(report.skippedTables.mapValues { .integer(Int64($0)) })
                == expected["skippedTables"])
        let disagreements = report.disagreements.map { JSONNode.string($0) }
        #expect(.list(disagreements) == expected["oneToOneDisagrees"])
    }

    @Test("Properties and their places are as expected", arguments: folders)
    func model(_ folder: URL) throws {
        let lines = try Self.expected(folder)
        let store = try CoreDataStore(path: try Self.store(folder, lines).path)
        for line in lines {
            guard let name = line["entity"]?.string, line["object"] == nil,
                case .list(let properties)? = line["properties"]
            else { continue }
            let entity = try #require(store.model.entities[name])
            #expect(line["number"] == store.layout.numbers[name].map { .integer(Int64($0)) })
            #expect(line["table"] == store.layout.tables[name].map { .string($0) })
            #expect(entity.sortedProperties.filter(\.isOwn).count == properties.count)
            for expected in properties {
                let property = try #require(entity.properties[expected["name"]?.string ?? ""])
                let place = store.layout.place(name, property.name, in: store.model)
                #expect(expected["kind"]?.string == property.kind.rawValue)
                #expect((expected["optional"] == .bool(true)) == property.isOptional)
                #expect(
                    expected["type"]?.string == nil
                        || expected["type"]?.string == property.type.name)
                if property.kind == .relationship {
                    #expect(expected["destination"]?.string == property.destination)
                }
                #expect(expected["renamingIdentifier"]?.string == property.renamedFrom)
                if !property.isToMany { #expect(expected["column"]?.string == place?.column) }
                #expect(expected["entityColumn"]?.string == place?.entityColumn)
                #expect(expected["orderColumn"]?.string == place?.orderColumn)
                var rules: [JSONNode] = []
                if case .list(let found)? = expected["rules"] { rules = found }
                #expect(rules == property.rules.map { .string($0.text) })
            }
        }
    }
}
