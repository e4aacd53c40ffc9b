/// Computes where a store contains what, by Core Data's rules, and compares it with the tables.
struct LayoutBuilder {
    let model: StoreModel
    let store: Bookkeeping
    var layout = StoreLayout()
    /// The columns that the model explains, by table.
    var used: [String: Set<String>] = [:]
    /// The declared types that the model implies, by table and column.
    var expected: [String: [String: String]] = [:]

    /// Returns the layout of a store. What does not fit is in its problems.
    ///
    /// - Parameter hashes: the hashes of the entities in the store's configuration.
    static func layout(_ model: StoreModel, _ store: Bookkeeping) -> StoreLayout {
        var builder = LayoutBuilder(model: model, store: store)
        builder.matchEntities()
        let roots = model.order().filter { $0.root == $0.name }
        for root in roots { builder.placeTable(root) }
        for root in roots { builder.placeColumns(root) }
        builder.placeLinks()
        builder.compare()
        return builder.layout
    }

    private init(model: StoreModel, store: Bookkeeping) {
        self.model = model
        self.store = store
    }

    /// Finds the number of each entity. In-place migrations leave the old names of renamed ones.
    private mutating func matchEntities() {
        var left = store.numbers.filter { $0.value < Bookkeeping.firstReserved }
        let hashes = store.hashes
        for entity in model.order() {
            layout.numbers[entity.name] = left.removeValue(forKey: entity.name)
        }
        for entity in model.order() where layout.numbers[entity.name] == nil {
            guard let old = entity.renamedFrom, let number = left.removeValue(forKey: old) else {
                continue
            }
            layout.numbers[entity.name] = number
            layout.notes.append("Z_PRIMARYKEY calls \(entity.name) \(old)")
        }
        let missing = model.order().map(\.name).filter {
            layout.numbers[$0] == nil && (hashes.isEmpty || hashes[$0] != nil)
        }
        if missing.count == 1, left.count == 1, let (old, number) = left.first, hashes[old] == nil {
            layout.numbers[missing[0]] = number
            layout.notes.append("Z_PRIMARYKEY calls \(missing[0]) \(old)")
            left = [:]
        }
        for entity in model.order() where layout.numbers[entity.name] == nil {
            if !hashes.isEmpty, hashes[entity.name] == nil {
                layout.notes.append(
                    "the entity \(entity.name) is not in this store (another configuration)")
            } else {
                layout.problems.append("the entity \(entity.name) is not in Z_PRIMARYKEY")
            }
        }
        for (name, number) in left { layout.unknownEntities[number] = name }
    }

    private mutating func placeTable(_ root: ModelEntity) {
        let wanted = "Z" + root.name.uppercased()
        guard let table = ColumnName.find(wanted, in: store.tables.keys) else {
            if layout.numbers[root.name] != nil { layout.problems.append("no table \(wanted)") }
            return
        }
        for entity in model.tree(root.name) { layout.tables[entity.name] = table }
        used[table] = ["Z_PK", "Z_ENT", "Z_OPT"]
        let names = Set(store.tables[table, default: []].map(\.name))
        for name in ["Z_PK", "Z_ENT", "Z_OPT"] where !names.contains(name) {
            layout.problems.append("no column \(table).\(name)")
        }
    }

    /// Assigns the columns of a table: attributes, then relationships to one, of each entity in the
    /// order of their numbers.
    private mutating func placeColumns(_ root: ModelEntity) {
        guard let table = layout.tables[root.name] else { return }
        var columns = ColumnAssignment(
            names: store.tables[table, default: []].map(\.name), table: table)
        for entity in model.tree(root.name) {
            let own = entity.sortedProperties.filter(\.isOwn)
            for property in own where property.isStoredAttribute {
                let place = columns.place(property, "\(entity.name).\(property.name)")
                layout.places[entity.name, default: [:]][property.name] = place
            }
            for property in own where property.isToOne && !property.isTransient {
                let label = "\(entity.name).\(property.name)"
                var place = StoreLayout.Place()
                let (found, wanted) = columns.take(property.name, "INTEGER", label)
                place.column = found
                if found != nil,
                    let destination = property.destination.flatMap({ model.entities[$0] }),
                    !destination.children.isEmpty
                {
                    place.entityColumn = columns.entityColumn(
                        layout.numbers[destination.name], wanted, property.name)
                    if place.entityColumn == nil {
                        layout.problems.append(
                            "no column for the entity of \(label) → \(destination.name)")
                    }
                }
                layout.places[entity.name, default: [:]][property.name] = place
            }
        }
        layout.problems += columns.problems
        used[table]?.formUnion(columns.expected.keys)
        expected[table, default: [:]].merge(columns.expected) { one, _ in one }
    }

    /// Compares the tables with what the model explains.
    private mutating func compare() {
        for (table, columns) in store.tables.sorted(by: { NameOrder.precedes($0.key, $1.key) }) {
            if let used = used[table] {
                for (name, type) in columns {
                    guard used.contains(name) else {
                        layout.unexplained.append("\(table).\(name)")
                        continue
                    }
                    guard let wanted = expected[table]?[name], type != wanted,
                        !(wanted == "FLOAT" && type == "TIMESTAMP")
                    else { continue }
                    layout.problems.append("\(table).\(name) is \(type), expected \(wanted)")
                }
            } else {
                switch OwnTable(table) {
                case .bookkeeping?: break
                case .skipped?: layout.skippedTables.append(table)
                case nil: layout.unexplained.append(table)
                }
            }
        }
    }
}

/// The columns of a table as they are assigned to properties, one after the other.
struct ColumnAssignment {
    /// The names of the table by their folded ones.
    private let names: [String: String]
    private let table: String
    private var taken: Set<String> = ["z_pk", "z_ent", "z_opt"]
    /// The declared type of each assigned column.
    private(set) var expected: [String: String] = [:]
    private(set) var problems: [String] = []

    init(names: [String], table: String) {
        self.names = Dictionary(
            names.map { (ColumnName.folded($0), $0) }, uniquingKeysWith: { one, _ in one })
        self.table = table
    }

    /// Assigns the next column of a name: with a number at its end if it is taken.
    ///
    /// - Returns: the column, `nil` if the table does not have it; and the name by the rules.
    mutating func take(
        _ property: String, _ type: String, _ label: String
    ) -> (found: String?, wanted: String) {
        let stem = "Z" + property.uppercased()
        var wanted = stem
        var number = 0
        while taken.contains(ColumnName.folded(wanted)) {
            number += 1
            wanted = stem + String(number)
        }
        let key = ColumnName.folded(wanted)
        taken.insert(key)
        let found = names[key]
        if let found {
            expected[found] = type
        } else {
            problems.append("no column \(table).\(wanted) for \(label)")
        }
        return (found, wanted)
    }

    /// Assigns the columns of an attribute. A composite has one for each element, named by the
    /// element alone.
    mutating func place(_ property: ModelProperty, _ label: String) -> StoreLayout.Place {
        var place = StoreLayout.Place()
        guard property.kind == .composite else {
            place.column = take(property.name, property.type.columnType, label).found
            return place
        }
        place.elements = []
        for element in property.elements {
            place.elements.append(self.place(element, "\(label).\(element.name)"))
        }
        return place
    }

    /// Finds the column for the entity of a relationship to one. Its number may be that of an
    /// earlier version of the model.
    mutating func entityColumn(_ number: Int?, _ wanted: String, _ property: String) -> String? {
        let rest = ColumnName.folded(String(wanted.dropFirst()))
        let prefix = "z\(number ?? -1)_"
        var found = names[prefix + rest] ?? names[prefix + ColumnName.folded(property)]
        if found == nil {
            let similar = names.filter {
                ColumnName.numbered($0.key, prefix: "z")?.rest == "_" + rest
            }
            found = similar.count == 1 ? similar.first?.value : nil
        }
        if let found { expected[found] = "INTEGER" }
        return found
    }
}
