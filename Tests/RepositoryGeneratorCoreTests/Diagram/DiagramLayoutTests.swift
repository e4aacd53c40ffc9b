import Foundation
import RepositorySchema
import Testing

@testable import RepositoryGeneratorCore

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The drawn diagram: nothing hides anything else.
@Suite("The drawn diagram")
struct DiagramLayoutTests {
    private static func diagrams() throws -> [EntityDiagram] {
        let sets = try DiagramSets.corpus() + [DiagramSets.library(), DiagramSets.musicStore()]
        return sets.flatMap { set in
            [false, true].map {
                EntityDiagram(set, options: EntityDiagram.Options(showsTypes: $0))
            }
        }
    }

    @Test("of the library, the music store and the corpus has nothing over anything else")
    func geometry() throws {
        for diagram in try Self.diagrams() { check(diagram) }
    }

    @Test("of sets made at random, with circles")
    func random() {
        let seed =
            ProcessInfo.processInfo.environment["DIAGRAM_SEED"].flatMap { UInt64($0) }
            ?? UInt64.random(in: 0...UInt64.max)
        print("diagrams of seed \(seed)")
        var state = seed
        func next(_ bound: Int) -> Int {
            // A linear congruential generator: the low bits are poor.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
        for _ in 0..<60 {
            let count = 1 + next(20)
            let documents = (0..<count).map { entity -> String in
                var text = "entity: E\(entity)\nfields:\n  size: Int\n"
                for field in 0..<next(4) {
                    text += "  f\(field): { type: E\(next(count))?, onDelete: setNull }\n"
                }
                return text
            }
            check(EntityDiagram(DiagramSets.set(documents.joined(separator: "---\n"))), seed)
        }
    }

    @Test("is XML with each name and each field of the set")
    func xml() throws {
        for diagram in try Self.diagrams() {
            let reader = TextReader()
            let parser = XMLParser(data: Data(diagram.svg.utf8))
            parser.delegate = reader
            #expect(parser.parse(), "\(String(describing: parser.parserError))")
            let expected = diagram.boxes.flatMap { box in
                [box.name]
                    + box.rows.flatMap { row in
                        row.marks.map(\.rawValue) + [row.name, row.type.description]
                    }
            }
            #expect(reader.texts == expected)
            #expect(reader.links == diagram.links.count)
        }
    }

    @Test("places what nobody refers to, and nothing")
    func unlinked() {
        let documents = (0..<9).map { "entity: E\($0)\n" }.joined(separator: "---\n")
        let layout = DiagramLayout(EntityDiagram(DiagramSets.set(documents)))
        #expect(Set(layout.boxes.map(\.left)).count == 3)
        #expect(Set(layout.boxes.map(\.top)).count == 3)
        let empty = DiagramLayout(EntityDiagram(DiagramSets.set("value: V\nfields: { a: Int }\n")))
        #expect(empty.boxes.isEmpty)
        #expect(empty.width > 0 && empty.height > 0)
    }

    private func check(_ diagram: EntityDiagram, _ seed: UInt64 = 0) {
        let layout = DiagramLayout(diagram)
        #expect(layout.boxes.map(\.index) == Array(diagram.boxes.indices))
        for (index, box) in layout.boxes.enumerated() {
            #expect(box.left > 0 && box.top > 0, "seed \(seed)")
            #expect(box.right < layout.width && box.bottom < layout.height, "seed \(seed)")
            for other in layout.boxes[(index + 1)...] {
                let isApart =
                    box.right < other.left || other.right < box.left || box.bottom < other.top
                    || other.bottom < box.top
                #expect(isApart, "seed \(seed): \(box) and \(other)")
            }
            checkTexts(of: diagram.boxes[box.index], in: box)
        }
        #expect(layout.lines.map(\.link) == Array(diagram.links.indices))
        for line in layout.lines {
            let link = diagram.links[line.link]
            let source = layout.boxes[link.source]
            let target = layout.boxes[link.target]
            #expect(line.points.count >= 2)
            #expect(line.points.first?.y == source.middle(ofRow: link.row))
            for (end, box) in [(line.points.first, source), (line.points.last, target)] {
                #expect(end?.x == box.left || end?.x == box.right, "seed \(seed)")
                #expect((box.top...box.bottom).contains(end?.y ?? -1), "seed \(seed)")
            }
            for (from, to) in zip(line.points, line.points.dropFirst()) {
                #expect(from.x == to.x || from.y == to.y, "seed \(seed): \(line)")
                for box in layout.boxes {
                    #expect(!Self.crosses(from, to, box), "seed \(seed): \(line) and \(box)")
                }
                #expect(from.x > 0 && from.x < layout.width)
                #expect(from.y > 0 && from.y < layout.height)
            }
        }
    }

    private func checkTexts(of box: EntityDiagram.Box, in drawn: DrawnBox) {
        let inner = drawn.width - DrawnBox.Metrics.padding
        #expect(Double(box.name.count) * DrawnBox.Metrics.titleLetter < drawn.width)
        for (index, row) in box.rows.enumerated() {
            let marks = Double(row.marks.count) * DrawnBox.Metrics.markWidth
            #expect(DrawnBox.Metrics.padding + marks <= drawn.nameOffset)
            let end = drawn.nameOffset + row.name.drawnWidth
            #expect(end < inner - row.type.description.drawnWidth)
            #expect(drawn.middle(ofRow: index) + 8 < drawn.bottom)
        }
    }

    /// Whether a line goes through the inside of a box.
    private static func crosses(
        _ from: DiagramLayout.Point, _ to: DiagramLayout.Point, _ box: DrawnBox
    ) -> Bool {
        max(from.x, to.x) > box.left && min(from.x, to.x) < box.right
            && max(from.y, to.y) > box.top && min(from.y, to.y) < box.bottom
    }

    /// The texts of a picture and the number of its links.
    private final class TextReader: NSObject, XMLParserDelegate {
        var texts: [String] = []
        var links = 0
        private var isText = false

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
            qualifiedName: String?, attributes: [String: String]
        ) {
            isText = name == "text"
            if isText { texts.append("") }
            if name == "g", attributes["fill"] == "none" { links += 1 }
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) {
            if isText { texts[texts.count - 1] += string }
        }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
            qualifiedName: String?
        ) {
            isText = false
        }
    }
}
