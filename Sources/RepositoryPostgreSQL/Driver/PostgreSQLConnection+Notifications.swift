#if PostgreSQL
    internal import CPostgreSQL
    internal import Foundation

    extension PostgreSQLConnection {
        /// Waits for a notification of another session. No statement is under way.
        ///
        /// - Throws: `PostgreSQLError` if the connection is lost, or ``interrupt()`` was called.
        func notified() async throws {
            while true {
                guard PQconsumeInput(handle) == 1, PQstatus(handle) == CONNECTION_OK else {
                    throw lost()
                }
                var isNotified = false
                while let notification = PQnotifies(handle) {
                    PQfreemem(notification)
                    isNotified = true
                }
                if isNotified { return }
                // A notification may come at any time.
                _ = await reactor.wait(socket, .readable)
            }
        }

        /// Ends the connection from any thread. What waits for the server finds it lost.
        func interrupt() { shutdown(socket, Int32(SHUT_RDWR)) }
    }
#endif
