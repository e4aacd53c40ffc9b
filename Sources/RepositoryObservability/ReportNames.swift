#if Observability
    import RepositoryRuntime

    extension StoreReport {
        /// The outcome as text: `success`, `cancelled`, `callerError` or the code of the error.
        var outcomeName: String {
            switch outcome {
            case .success: "success"
            case .failure(let code): code.rawValue
            case .cancelled: "cancelled"
            case .callerError: "callerError"
            }
        }
    }

    extension StoreOperation {
        /// The access as text: `ids`, `table`, `fullScan`, or `index` and the name of the index.
        var accessName: String? {
            switch access {
            case nil: nil
            case .ids: "ids"
            case .table: "table"
            case .fullScan: "fullScan"
            case .index(let name): "index \(name)"
            }
        }
    }
#endif
