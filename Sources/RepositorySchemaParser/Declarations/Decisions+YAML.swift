internal import RepositorySchema

extension FillDecision {
    /// Creates a decision from the value of `fill`; nil if it is missing or invalid.
    ///
    /// The plain word `code` is a function. Any other scalar or list is a literal.
    init?(_ node: YAMLNode?) {
        guard let node else { return nil }
        if node.entries != nil {
            let mapping = YAMLMapping(node)
            if let value = mapping.literal("value") {
                self.init(.value(value), at: node.range)
            } else if mapping["code"] != nil {
                self.init(.code, at: node.range)
            } else {
                return nil
            }
            version = mapping.integer("for")
        } else if node.isWord("code") {
            self.init(.code, at: node.range)
        } else if let value = node.literal {
            self.init(.value(value), at: node.range)
        } else {
            return nil
        }
    }
}

extension ConvertDecision {
    /// Creates a decision from the value of `convert`; nil if it is missing or invalid.
    init?(_ node: YAMLNode?) {
        guard let node else { return nil }
        let mapping = YAMLMapping(node)
        if mapping["code"] != nil || node.located?.value == "code" {
            self.init(.code, at: node.range)
        } else if mapping["value"] != nil || node.located?.value == "value" {
            self.init(.value(otherwise: mapping.literal("otherwise")), at: node.range)
        } else {
            return nil
        }
        version = mapping.integer("for")
    }
}

extension MigrateDecision {
    /// Creates the decision of an entity from the value of `migrate`; nil if it is missing or
    /// invalid.
    init?(records node: YAMLNode?) {
        guard let node else { return nil }
        let mapping = YAMLMapping(node)
        guard mapping["code"] != nil || node.located?.value == "code" else { return nil }
        self.init(at: node.range)
        version = mapping.integer("for")
    }

    /// Creates a decision of the settings from an entry of `migrate`; nil if it is invalid.
    init?(tables node: YAMLNode) {
        let mapping = YAMLMapping(node)
        guard let code = mapping["code"], !code.isNull else { return nil }
        self.init(at: node.range)
        entities = mapping.texts("code")
        version = mapping.integer("for")
    }
}

extension YAMLNode {
    /// Returns whether the node is a word without quotes.
    fileprivate func isWord(_ word: String) -> Bool {
        scalar.map { $0.isPlain && $0.text == word } ?? false
    }
}
