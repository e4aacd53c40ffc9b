extension Entity {
    /// Returns the entity with the bytes of others, for external data that has none. Fields that
    /// were encoded and decoded have lost them.
    package func withBytes(of others: Self...) -> Self {
        guard !Mapper.table.externalFields.isEmpty else { return self }
        var known: [String: ExternalData] = [:]
        for var other in others {
            Mapper.changeExternalData(of: &other) { data in
                if data.source != nil { known[data.description] = data }
                return data
            }
        }
        var copy = self
        Mapper.changeExternalData(of: &copy) { data in
            data.source == nil ? known[data.description] ?? data : data
        }
        return copy
    }
}
