internal import Foundation

/// The field encoder for JSON.
struct JSONFieldEncoder: DocumentFieldEncoder {
    var state = DocumentEncoderState(JSONWriter())
}

/// The field decoder for JSON.
struct JSONFieldDecoder: DocumentFieldDecoder {
    var state: DocumentDecoderState<JSONReader>

    /// Starts from the state of a reader at the first value.
    init(_ state: DocumentDecoderState<JSONReader>) {
        self.state = state
    }
}
