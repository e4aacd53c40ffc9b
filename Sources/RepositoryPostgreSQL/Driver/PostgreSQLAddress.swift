#if PostgreSQL
    internal import CPostgreSQL
    internal import Foundation

    /// A value that `dump` and other reflection do not show, because it may contain a password.
    @propertyWrapper
    struct Unreflected<Value: Sendable>: Sendable, CustomReflectable, CustomStringConvertible {
        let wrappedValue: Value

        init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

        var customMirror: Mirror { Mirror(self, children: []) }
        var description: String { "…" }
    }

    /// Looks at an address before libpq uses it: libpq's own messages about an address that it
    /// cannot read contain parts of the address, and these may be parts of the password.
    enum PostgreSQLAddress {
        /// Checks an address.
        ///
        /// - Throws: `PostgreSQLError` for an address that libpq cannot read, or in which the password
        ///   seems to have been taken for another part. The error does not repeat the address.
        static func check(_ address: String) throws {
            let isURL =
                address.hasPrefix("postgresql://") || address.hasPrefix("postgres://")
            if !isURL, resemblesURL(address) {
                throw PostgreSQLError(
                    client: "the address is a URL that does not begin with 'postgresql://'")
            }
            guard isURL || address.contains("=") else { return }
            guard !address.utf8.contains(0) else { throw unreadable(isURL) }
            var message: UnsafeMutablePointer<CChar>?
            let parsed = PQconninfoParse(address, &message)
            defer { if let message { PQfreemem(message) } }
            guard let parsed else {
                if !isURL, !address.contains("password"), hasOnlySettings(address), let message {
                    let words = String(cString: message).trimmingCharacters(in: .newlines)
                    throw PostgreSQLError(client: words)
                }
                throw unreadable(isURL)
            }
            defer { PQconninfoFree(parsed) }
            var option = parsed
            while let keyword = option.pointee.keyword {
                if let text = option.pointee.val.map({ String(cString: $0) }),
                    !isPlausible(text, String(cString: keyword), isURL)
                {
                    throw unreadable(isURL)
                }
                if String(cString: keyword) == "sslmode", let text = option.pointee.val,
                    !sslModes.contains(String(cString: text))
                {
                    let modes = sslModes.joined(separator: ", ")
                    throw PostgreSQLError(
                        client: "there is no such 'sslmode'; the modes are \(modes)")
                }
                option += 1
            }
        }

        /// Returns whether an address begins as a URL does, or as its part behind the scheme, which
        /// libpq would take for the name of a database or of a setting, and repeat.
        private static func resemblesURL(_ address: String) -> Bool {
            let first = address.prefix { $0 != "=" }
            return first.contains("@") || first.contains(":/")
        }

        /// Returns whether each word of a connection string names a setting. Another word may be
        /// the rest of a password, and the message of libpq contains it.
        private static func hasOnlySettings(_ address: String) -> Bool {
            address.split(whereSeparator: \.isWhitespace).allSatisfy { $0.contains("=") }
        }

        /// Returns whether a value can be that of a part of the address.
        private static func isPlausible(_ text: String, _ keyword: String, _ isURL: Bool) -> Bool {
            switch keyword {
            case "port": text.allSatisfy { $0.isASCII && $0.isNumber || $0 == "," }
            case "host", "hostaddr": !isURL || !text.contains { "@#? ".contains($0) }
            case "dbname": !isURL || !text.contains { "@#?".contains($0) }
            default: true
            }
        }

        private static let sslModes = [
            "disable", "allow", "prefer", "require", "verify-ca", "verify-full",
        ]

        private static func unreadable(_ isURL: Bool) -> PostgreSQLError {
            PostgreSQLError(
                client: isURL
                    ? "the address is not a valid URL; characters such as '@', '/', '#', '?', ':' and '%' in the user, the password and the database must be percent-encoded"
                    : "the address is not a valid connection string; values that are empty or contain spaces, quotes or backslashes must be in single quotes"
            )
        }
    }
#endif
