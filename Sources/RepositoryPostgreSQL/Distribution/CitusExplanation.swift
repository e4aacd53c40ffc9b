#if PostgreSQL
    /// Reads the lines of `EXPLAIN` on a Citus cluster.
    enum CitusExplanation {
        /// Returns a line that says on how many shards a query runs, and the node if it is one; no
        /// lines for a query that no node runs.
        static func summary(of lines: [String]) -> [String] {
            guard let count = value(of: "Task Count: ", in: lines).flatMap({ Int($0) }) else {
                return []
            }
            if count == 1, let node = value(of: "Node: ", in: lines) {
                let fields = node.split(separator: " ").map { $0.split(separator: "=") }
                func field(_ name: Substring) -> Substring {
                    fields.first { $0.first == name }?.last ?? ""
                }
                return ["The query goes to one node: \(field("host")):\(field("port"))."]
            }
            return ["The query goes to \(count) shards."]
        }

        /// Returns the lines that contain no values: those of the nodes of the plan, and of its
        /// tasks.
        static func withoutValues(_ lines: [String]) -> [String] {
            lines.filter { line in
                let text = line.drop { $0 == " " }
                return ["->", "Task", "Node: "].contains { text.hasPrefix($0) }
                    || text.contains("(cost=")
            }
        }

        private static func value(of label: String, in lines: [String]) -> String? {
            for line in lines {
                let text = line.drop { $0 == " " }
                if text.hasPrefix(label) { return String(text.dropFirst(label.count)) }
            }
            return nil
        }
    }
#endif
