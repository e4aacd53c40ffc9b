import Hummingbird
import RepositoryRuntime

/// What the store did, in the text format of Prometheus.
struct MetricsText {
    private let totals: [StoreMeter.Key: StoreMeter.OperationTotal]

    /// Makes the text of a meter's totals.
    init(_ totals: [StoreMeter.Key: StoreMeter.OperationTotal]) { self.totals = totals }

    /// The response to a request for the metrics.
    var response: Response {
        let body = ByteBuffer(string: lines.sorted().map { $0 + "\n" }.joined())
        return Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4"],
            body: ResponseBody(byteBuffer: body))
    }

    private var lines: [String] {
        totals.flatMap { key, total in
            let labels = "{operation=\"\(key.kind)\",table=\"\(key.table ?? "")\"}"
            return [
                "store_operations_total\(labels) \(total.calls)",
                "store_failures_total\(labels) \(total.failures)",
                "store_rows_total\(labels) \(total.rows)",
                "store_full_scans_total\(labels) \(total.fullScans)",
                "store_seconds_total\(labels) \(total.time / .seconds(1))",
            ]
        }
    }
}
