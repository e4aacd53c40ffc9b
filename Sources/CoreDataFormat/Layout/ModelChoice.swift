internal import Foundation

extension LayoutBuilder {
    /// Returns the version of a model that a store was written with: by its hashes, where the folder
    /// lists them; otherwise the one that explains every table and column.
    ///
    /// - Throws: ``CoreDataFileError`` with kind `otherModel` if none is, with what does not fit.
    static func choose(
        _ versions: ModelVersions, for store: Bookkeeping, notes: inout [String]
    ) throws(CoreDataFileError) -> StoreModel {
        let hashes = store.hashes
        for version in versions.versions {
            guard let own = version.hashes, !hashes.isEmpty,
                hashes.allSatisfy({ own[$0.key] == $0.value })
            else { continue }
            return version.model
        }
        var fits: [(version: ModelVersions.Version, faults: [String], more: Int)] = []
        for version in versions.versions {
            let layout = layout(version.model, store)
            var faults = layout.problems + layout.unexplained.map { "\($0) is not in the model" }
            let names = Set(version.model.entities.keys)
            faults += Set(hashes.keys).subtracting(names).sorted(by: NameOrder.precedes)
                .map { "the entity \($0) is not in the model" }
            // Entities that the store does not have are those of another configuration.
            fits.append(
                (version, faults, hashes.isEmpty ? 0 : names.subtracting(hashes.keys).count))
        }
        let least = fits.filter(\.faults.isEmpty).map(\.more).min()
        let good = fits.filter { $0.faults.isEmpty && $0.more == least }.map(\.version)
        if let chosen = good.first(where: \.isCurrent) ?? good.first {
            if good.count > 1 {
                let labels = good.map(\.label).joined(separator: ", ")
                notes.append("the models \(labels) fit equally well; \(chosen.label) was used")
            }
            return chosen.model
        }
        let described = fits.map { fit in
            let some = fit.faults.prefix(5).joined(separator: "; ")
            let more = fit.faults.count > 5 ? "; and \(fit.faults.count - 5) more" : ""
            return "\(fit.version.label): \(some)\(more)"
        }
        throw CoreDataFileError(
            .otherModel,
            "No version of the model is the one of this store. \(described.joined(separator: ". "))."
        )
    }
}
