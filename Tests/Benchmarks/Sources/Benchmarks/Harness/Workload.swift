import Counting

/// One line of the table.
struct Workload {
    /// What is done.
    let name: String
    /// How many operations one run holds: times are told for one.
    var count = 1
    var unit = Unit.microseconds
    /// How often each side runs and is counted; once more before, where nothing is built from clean.
    var rounds = 5
    var warmsUp = true
    /// Makes ready what the sides need; called when the line is run.
    let sides: () async throws -> Sides

    enum Unit: String {
        case microseconds = "µs"
        case nanoseconds = "ns"
        case milliseconds = "ms"
        case seconds = "s"
        case megabytes = "MiB"
        case allocations

        /// How many there are in a second; of memory it is not asked.
        var perSecond: Double {
            switch self {
            case .nanoseconds: 1_000_000_000
            case .microseconds: 1_000_000
            case .milliseconds: 1_000
            case .seconds, .megabytes, .allocations: 1
            }
        }
    }
}

/// Who does the work of a line.
struct Sides {
    /// This package.
    let ours: Side
    /// What nothing can be faster than, such as the functions in C beneath.
    var limit: Side?
    /// Another library.
    var peer: Side?

    var all: [Side] { [ours] + [limit, peer].compactMap(\.self) }
}

/// One way to do the work of a line.
struct Side {
    let name: String
    /// How many operations one run holds, where they are not those of the line.
    let count: Int?
    /// How long one run took; what it needs each time anew is made before its clock starts.
    let run: () async throws -> Duration

    init(
        _ name: String = "ours", count: Int? = nil, _ run: @escaping () async throws -> Duration
    ) {
        self.name = name
        self.count = count
        self.run = run
    }
}

/// How long a body took.
func timed(_ body: () async throws -> Void) async rethrows -> Duration {
    counting_begin()
    defer { counting_end() }
    return try await ContinuousClock().measure(body)
}

/// How long a body took that waits for nothing.
func timed(_ body: () throws -> Void) rethrows -> Duration {
    counting_begin()
    defer { counting_end() }
    return try ContinuousClock().measure(body)
}

/// Uses a value, so that the compiler leaves nothing out.
@_optimize(none)
func use<T>(_ value: T) {}
