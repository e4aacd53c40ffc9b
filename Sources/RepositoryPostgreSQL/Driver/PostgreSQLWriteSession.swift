#if PostgreSQL
    internal import CPostgreSQL
    internal import Foundation

    /// What identifies the writes of one connection, so that another connection can ask for them.
    struct PostgreSQLWriteSession: Sendable {
        /// A name that no other connection has.
        let id: UUID
        /// The process of the server that serves the connection; 0 behind a pooler.
        let process: Int32
        /// When that process began, in the notation of the server: numbers of processes are used
        /// again.
        let start: String
        /// The number of writes so far.
        var number: Int64 = 0
    }

    /// What the server has told a connection besides its answers.
    ///
    /// The conformance to `Sendable` is unchecked: libpq calls the receiver on the thread that
    /// reads an answer, and one task at a time uses a connection.
    final class PostgreSQLNotices: @unchecked Sendable {
        private var warning: PostgreSQLError?

        /// Returns the warning that the wait for a standby has ended before the standby has
        /// confirmed the commit, and forgets it.
        func takeCommitWarning() -> PostgreSQLError? {
            defer { warning = nil }
            return warning
        }

        /// Receives the notices of a connection, as long as this object exists.
        func receive(from handle: OpaquePointer) {
            PQsetNoticeReceiver(
                handle,
                { context, result in
                    guard let context, let result else { return }
                    let notices = Unmanaged<PostgreSQLNotices>.fromOpaque(context)
                        .takeUnretainedValue()
                    notices.note(result)
                }, Unmanaged.passUnretained(self).toOpaque())
        }

        private func note(_ result: OpaquePointer) {
            func field(_ code: Character) -> String? {
                PQresultErrorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
            }
            // The message is in the language of the server; the routine is not.
            guard field("R") == "SyncRepWaitForLSN", let state = field("C") else { return }
            warning = PostgreSQLError(
                state: state, message: field("M") ?? "", constraint: nil, table: nil, column: nil,
                isConnectionLost: false, routine: "SyncRepWaitForLSN")
        }
    }
#endif
