internal import Foundation

/// Writes fields as an XML property list.
struct XMLFieldEncoder: DocumentFieldEncoder {
    var state = DocumentEncoderState(XMLPropertyListWriter())
}

/// Reads fields of an XML property list.
struct XMLFieldDecoder: DocumentFieldDecoder {
    var state: DocumentDecoderState<XMLPropertyListReader>

    init(_ state: DocumentDecoderState<XMLPropertyListReader>) {
        self.state = state
    }
}

/// Writes fields as a binary property list.
struct BinaryPropertyListFieldEncoder: DocumentFieldEncoder {
    var state = DocumentEncoderState(BinaryPropertyListWriter())
}

/// Reads fields of a binary property list.
struct BinaryPropertyListFieldDecoder: DocumentFieldDecoder {
    var state: DocumentDecoderState<BinaryPropertyListReader>

    init(_ state: DocumentDecoderState<BinaryPropertyListReader>) {
        self.state = state
    }
}
