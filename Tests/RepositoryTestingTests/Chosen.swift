import Foundation
import RepositoryTesting

/// What the environment chooses of the suite: `REPOSITORY_BEHAVIOUR=queries.pages` the behaviours whose names start so,
/// `REPOSITORY_STORE=SQLite` the stores whose names hold the word.
enum Chosen {
    static let behaviours = StoreBehaviour.all.filter { behaviour in
        variable("REPOSITORY_BEHAVIOUR").map { behaviour.id.hasPrefix($0) } ?? true
    }
    static let stores = HouseStore.all.filter { store in
        variable("REPOSITORY_STORE").map { store.testDescription.contains($0) } ?? true
    }

    static func variable(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
