/// The address of a PostgreSQL database, without what must not be shown.
struct ServerAddress {
    /// The address for `psql` and for messages: without the password, and without `schema`.
    let shown: String
    /// The password; `nil` if the address has none, so that `psql` looks for one.
    let password: String?
    /// The schema that `?schema=` names; `nil` for the first one of the search path.
    let schema: String?

    /// Reads a URL: `postgresql://user:password@host/database?schema=name&sslmode=require`.
    ///
    /// - Throws: ``ImportProblem`` if a password may contain characters that end it in a URL. The
    ///   address is then not shown.
    init(_ url: String) throws(ImportProblem) {
        if let start = url.firstRange(of: "://")?.upperBound, let at = url.lastIndex(of: "@"),
            start < at, url[start..<at].contains(where: { "/?#@".contains($0) })
        {
            throw ImportProblem(
                path: "the address",
                reason: "has '/', '?', '#' or '@' before the last '@'; write them as "
                    + "%2F, %3F, %23 and %40")
        }
        var (rest, password, schema) = (url, String?.none, String?.none)
        if let query = rest.firstIndex(of: "?") {
            var kept: [Substring] = []
            for part in rest[rest.index(after: query)...].split(separator: "&") {
                let pair = part.split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let value = pair.count == 2 ? Self.decoded(pair[1]) : ""
                switch pair[0] {
                case "schema": schema = value
                case "password": password = value
                default: kept.append(part)
                }
            }
            rest = String(rest[..<query]) + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
        }
        if let start = rest.firstRange(of: "://")?.upperBound {
            let end = rest[start...].firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
            if let at = rest[start..<end].lastIndex(of: "@"),
                let colon = rest[start..<at].firstIndex(of: ":")
            {
                password = Self.decoded(rest[rest.index(after: colon)..<at])
                rest.removeSubrange(colon..<at)
            }
        }
        shown = rest
        self.password = password
        self.schema = schema
    }

    /// The name of the database; that of the host or the whole address if it names none.
    var database: String {
        let path = shown.prefix { $0 != "?" }
        let parts = path.split(separator: "/").dropFirst()
        return parts.last.map { Self.decoded($0) } ?? String(path)
    }

    /// Returns a part of a URL with its percent signs decoded.
    private static func decoded(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let first = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if first == UInt8(ascii: "%"), digits.utf8.count == 2,
                let byte = UInt8(digits, radix: 16)
            {
                bytes.append(byte)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(first)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
