import Foundation
import RepositoryTesting

/// What the environment chooses of the suite: `REPOSITORY_BEHAVIOUR=queries.pages` the behaviours whose names start so,
/// `REPOSITORY_STORE=SQLite` the stores whose names hold the word; several are separated by `|`.
enum Chosen {
    static let behaviours = StoreBehaviour.all.filter { behaviour in
        choices("REPOSITORY_BEHAVIOUR").map { $0.contains { behaviour.id.hasPrefix($0) } } ?? true
    }
    static func stores(_ stores: [HouseStore]) -> [HouseStore] {
        stores.filter { store in
            choices("REPOSITORY_STORE").map { $0.contains { store.testDescription.contains($0) } }
                ?? true
        }
    }

    /// Whether everything is asked for: `make test-long`.
    static let isLong = variable("REPOSITORY_LONG") == "1"

    private static func choices(_ name: String) -> [String]? {
        variable(name).map { $0.split(separator: "|").map(String.init) }
    }

    static func variable(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
