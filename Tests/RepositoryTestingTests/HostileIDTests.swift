import Testing

@testable import RepositoryTesting

@Suite("Ids that a careless store confuses")
struct HostileIDTests {
    @Test("There are more than 500, no two of the same bytes, none of them refused")
    func distinct() {
        let ids = HostileIDs.all
        #expect(ids.count >= 500)
        #expect(Set(ids.map { Array($0.utf8) }).count == ids.count)
        #expect(ids.allSatisfy { !$0.isEmpty && !$0.utf8.contains(0) })
        // Texts that Swift takes for equal are two ids all the same.
        let equal = ids.count - Set(ids).count
        #expect(equal > 0)
        print(
            "hostile ids: \(ids.count), \(HostileIDs.printable.count) of them for XML, "
                + "\(equal) equal to others but for their Unicode form")
    }
}
