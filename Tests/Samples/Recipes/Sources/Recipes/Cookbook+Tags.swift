public import RepositoryRuntime

/// The tags of recipes. The case of a tag is ignored: `Soup` and `soup` are one tag.
extension Cookbook {
    /// Adds tags to a recipe. Missing tags are created; tags that the recipe has already are
    /// ignored.
    public func tag(_ recipe: Recipe.ID, _ names: [String]) async throws {
        try await kitchen.transaction { kitchen in
            try await Self.tag(recipe, names, in: kitchen)
        }
    }

    /// Removes a tag from a recipe, and the tag itself if no other recipe has it.
    public func untag(_ recipe: Recipe.ID, _ name: String) async throws {
        try await kitchen.transaction { kitchen in
            guard let tag = try await kitchen.tags.find(name: name) else { return }
            try await kitchen.taggings.deleteAll(ids: [Tagging.ID(recipeID: recipe, tagID: tag.id)])
            // Also the tagging of a recipe in the trash counts.
            if try await !kitchen.taggings.exists(where: { $0.tagID == tag.id }) {
                try await kitchen.tags.delete(tag.id)
            }
        }
    }

    /// Renames a tag. If the new name exists, the two tags become one.
    ///
    /// - Returns: false if there is no tag with the old name.
    @discardableResult
    public func renameTag(_ name: String, to newName: String) async throws -> Bool {
        try await kitchen.transaction { kitchen in
            guard var tag = try await kitchen.tags.find(name: name) else { return false }
            guard let other = try await kitchen.tags.find(name: newName), other.id != tag.id else {
                tag.name = newName
                try await kitchen.tags.update(tag)
                return true
            }
            let recipes = try await kitchen.taggings.findAll(tagID: tag.id).map(\.recipeID)
            try await kitchen.tags.delete(tag.id)
            try await kitchen.taggings.saveAll(
                recipes.map { Tagging(recipeID: $0, tagID: other.id) })
            return true
        }
    }

    /// The tags with the number of their recipes, most used first.
    public func tagCloud() async throws -> [(tag: Tag, recipes: Int)] {
        try await kitchen.tags.fetch(
            .sorted(by: \.recipes.count, .descending).sorted(by: \.name).allowingFullScan(),
            counting: \.recipes
        ).map { (tag: $0, recipes: $1) }
    }

    /// Adds tags to a recipe in a transaction.
    static func tag(_ recipe: Recipe.ID, _ names: [String], in kitchen: Kitchen) async throws {
        for name in names {
            let known = try await kitchen.tags.find(name: name)
            let tag =
                if let known { known } else {
                    try await kitchen.tags.create(kitchen.withDefaults { Tag(name: name) })
                }
            try await kitchen.taggings.save(Tagging(recipeID: recipe, tagID: tag.id))
        }
    }
}
