internal import Foundation

/// Writes fields as JSON.
struct JSONFieldEncoder: DocumentFieldEncoder {
    var state = DocumentEncoderState(JSONWriter())
}

/// Reads fields of JSON.
struct JSONFieldDecoder: DocumentFieldDecoder {
    var state: DocumentDecoderState<JSONReader>

    init(_ state: DocumentDecoderState<JSONReader>) {
        self.state = state
    }
}
