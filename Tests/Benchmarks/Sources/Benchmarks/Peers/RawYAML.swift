import Foundation
import YAMLAPI

/// The parser of libyaml, run to the end of a text and nothing kept.
enum RawYAML {
    /// A text that libyaml refuses.
    struct Failure: Error {}

    static func parse(_ text: Data) throws {
        var parser = yaml_parser_t()
        guard yaml_parser_initialize(&parser) == 1 else { throw Failure() }
        defer { yaml_parser_delete(&parser) }
        try text.withUnsafeBytes { bytes in
            let start = bytes.bindMemory(to: UInt8.self).baseAddress
            yaml_parser_set_input_string(&parser, start, bytes.count)
            var isOver = false
            while !isOver {
                var event = yaml_event_t()
                guard yaml_parser_parse(&parser, &event) == 1 else { throw Failure() }
                isOver = event.type == YAML_STREAM_END_EVENT
                yaml_event_delete(&event)
            }
        }
    }
}
