/// The entities of a store and their properties.
package struct StoreModel: Sendable {
    /// Where it was read from: `Z_MODELCACHE`, or the name of a file.
    package internal(set) var source: String
    /// The entities by name.
    package private(set) var entities: [String: ModelEntity]
    /// The names that the app gave its version.
    package let versionIdentifiers: [String]
    /// The entities of each configuration.
    package let configurations: [String: [String]]

    /// Completes a model: roots, children, and inherited properties.
    ///
    /// - Throws: ``CoreDataFileError`` if entities inherit from each other in a circle.
    init(
        source: String, entities: [ModelEntity], versionIdentifiers: [String],
        configurations: [String: [String]]
    ) throws(CoreDataFileError) {
        self.source = source
        self.versionIdentifiers = versionIdentifiers
        self.configurations = configurations
        var known: [String: ModelEntity] = [:]
        for entity in entities { known[entity.name] = entity }
        for name in known.keys {
            var root = name
            var seen: Set<String> = []
            while let parent = known[root]?.parent, known[parent] != nil {
                guard seen.insert(root).inserted else {
                    throw CoreDataFileError(
                        .damaged, "The entity \(name) of the model inherits from itself.")
                }
                root = parent
            }
            known[name]?.root = root
        }
        for entity in known.values {
            if let parent = entity.parent { known[parent]?.children.append(entity.name) }
        }
        for name in known.keys { known[name]?.children.sort(by: NameOrder.precedes) }
        self.entities = known
        for entity in order() {
            guard let parent = entity.parent.flatMap({ self.entities[$0] }) else { continue }
            // Models in XML list only what an entity declares itself.
            for var inherited in parent.properties.values {
                if let own = entity.properties[inherited.name] { inherited = own }
                inherited.isOwn = false
                self.entities[entity.name]?.properties[inherited.name] = inherited
            }
        }
    }

    /// The entities in the order of their numbers: roots by name, each followed by its children.
    package func order() -> [ModelEntity] {
        let roots = entities.values.filter { $0.root == $0.name }.map(\.name)
        var found: [ModelEntity] = []
        var waiting = Array(roots.sorted(by: NameOrder.precedes).reversed())
        while let name = waiting.popLast() {
            guard let entity = entities[name] else { continue }
            found.append(entity)
            waiting += entity.children.reversed()
        }
        return found
    }

    /// An entity and all that inherit from it, in the order of their numbers.
    package func tree(_ name: String) -> [ModelEntity] {
        var found: [ModelEntity] = []
        var waiting = [name]
        while let next = waiting.popLast() {
            guard let entity = entities[next] else { continue }
            found.append(entity)
            waiting += entity.children.reversed()
        }
        return found
    }

    /// The entity, this one or one that it inherits from, that declares a property.
    package func declaring(_ entity: String, _ property: String) -> String {
        var found = entity
        while let parent = entities[found]?.parent,
            entities[parent]?.properties[property] != nil
        { found = parent }
        return found
    }
}
