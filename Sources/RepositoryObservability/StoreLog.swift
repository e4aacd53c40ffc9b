#if Observability
    public import Logging
    public import RepositoryRuntime

    /// An instrument that writes what a store does to a log of `swift-log`.
    ///
    /// The entries contain names of tables, indexes and operations, numbers, durations and codes of
    /// errors, never values of fields or ids.
    public struct StoreLog: StoreInstrument {
        private let logger: Logger
        private let level: Logger.Level
        private let noticeLevel: Logger.Level

        /// Creates an instrument.
        ///
        /// - Parameters:
        ///   - logger: the log.
        ///   - level: the level of entries about operations.
        ///   - noticeLevel: the level of entries about slow operations and full scans.
        public init(
            _ logger: Logger, level: Logger.Level = .debug, noticeLevel: Logger.Level = .warning
        ) {
            self.logger = logger
            self.level = level
            self.noticeLevel = noticeLevel
        }

        /// Whether the log has entries of one of the two levels. Slow operations are found only
        /// while it is true.
        public var isEnabled: Bool { logger.logLevel <= max(level, noticeLevel) }

        /// Logs an operation.
        public func record(_ report: StoreReport) {
            logger.log(
                level: level, "\(report.operation.kind)", metadata: report.metadata)
        }

        /// Logs a slow operation or a full scan.
        public func notice(_ notice: StoreNotice) {
            switch notice {
            case .fullScan(let table, let message):
                logger.log(
                    level: noticeLevel, "\(message)",
                    metadata: ["repository.table": .string(table)])
            case .slowOperation(let report):
                logger.log(
                    level: noticeLevel, "slow: \(report.operation.kind)",
                    metadata: report.metadata)
            }
        }
    }

    extension StoreReport {
        /// What the report says, without the kind.
        fileprivate var metadata: Logger.Metadata {
            var metadata: Logger.Metadata = [
                "repository.outcome": .string(outcomeName),
                "repository.duration": .stringConvertible(duration),
                "repository.rows": .stringConvertible(volume.rows),
            ]
            if let table = operation.table { metadata["repository.table"] = .string(table) }
            if let access = operation.accessName { metadata["repository.access"] = .string(access) }
            return metadata
        }
    }
#endif
