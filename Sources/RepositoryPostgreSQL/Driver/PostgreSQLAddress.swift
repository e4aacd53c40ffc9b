#if PostgreSQL
    internal import CPostgreSQL
    internal import Foundation

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
                if !isURL, !address.contains("password"), let message {
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

        /// Returns whether an address begins as a URL does, which libpq would take for the name of
        /// a database.
        private static func resemblesURL(_ address: String) -> Bool {
            let rest = address.utf8.drop { $0 <= 0x20 }
            let scheme = rest.prefix { ($0 | 0x20) >= 97 && ($0 | 0x20) <= 122 }
            return !scheme.isEmpty && rest.dropFirst(scheme.count).starts(with: ":/".utf8)
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
