package import Foundation
package import RepositoryRuntime

/// A record that is found by indexes.
nonisolated package struct Article: Entity {
    /// The id of an article.
    package typealias ID = EntityID<Article, Int>
    /// The mapper between an article and its fields.
    package typealias Mapper = ArticleMapper

    package let number: ID
    package var section: String
    package var title: String?
    package var stage: Stage
    package var rank: Int
    package var publishedAt: Foundation.Date?

    /// The same as `number`.
    package var id: ID { number }

    /// Makes an article that is not stored yet.
    package init(
        number: ID,
        section: String,
        title: String? = nil,
        stage: Stage = .draft,
        rank: Int = 0,
        publishedAt: Foundation.Date? = nil
    ) {
        self.number = number
        self.section = section
        self.title = title
        self.stage = stage
        self.rank = rank
        self.publishedAt = publishedAt
    }

    package static func == (left: Article, right: Article) -> Bool {
        guard left.number == right.number else { return false }
        guard left.section == right.section else { return false }
        guard left.title == right.title else { return false }
        guard left.stage == right.stage else { return false }
        guard left.rank == right.rank else { return false }
        return left.publishedAt == right.publishedAt
    }
}

/// The mapping between ``Article`` and its fields, one for every store and format.
nonisolated package enum ArticleMapper: EntityMapper {
    package static let table: EntityTable = {
        var table = EntityTable("articles", entity: "Article")
        table.field("number", .int64, key: true)
        table.field("section", .text)
        table.field("title", .text, optional: true)
        table.field("stage", .text, default: .text("draft"))
        table.field("rank", .int64, default: .integer(0))
        table.field("publishedAt", .date, column: "published_at", optional: true)
        table.index("articles_title", ["title"])
        table.index("articles_stage", ["stage"])
        table.index("by_section", ["section", "-rank"])
        table.index("by_publication", ["-publishedAt", "title"])
        return table
    }()

    package static func encode<E: FieldEncoder>(_ article: Article, to fields: inout E) throws {
        try fields.encode(article.number, at: 0)
        try fields.encode(article.section, at: 1)
        try fields.encode(article.title, at: 2)
        try fields.encode(article.stage, at: 3)
        try fields.encode(article.rank, at: 4)
        try fields.encode(article.publishedAt, at: 5)
    }

    package static func decode<D: FieldDecoder>(from fields: inout D) throws -> Article {
        let number = try fields.decode(Article.ID.self, at: 0)
        let section = try fields.decode(String.self, at: 1)
        let title = try fields.decode(String?.self, at: 2)
        let stage = try fields.decode(Stage.self, at: 3, default: .draft)
        let rank = try fields.decode(Int.self, at: 4, default: 0)
        let publishedAt = try fields.decode(Foundation.Date?.self, at: 5)
        return Article(
            number: number,
            section: section,
            title: title,
            stage: stage,
            rank: rank,
            publishedAt: publishedAt
        )
    }

    package static func prepare(_ article: inout Article, for write: WriteContext) throws {
        article.publishedAt = try write.prepared(article.publishedAt, "publishedAt")
    }
}

/// The articles, wherever they are stored.
nonisolated package struct ArticleRepository: EntityRepository {
    package typealias Model = Article
    package let context: RepositoryContext

    package init(_ context: RepositoryContext) {
        self.context = context
    }
}

extension ArticleRepository {
    /// The articles of this `title`.
    nonisolated(nonsending) package func findAll(title: String) async throws -> [Article] {
        try await find(index: 0, [StoredValue(encoding: title)])
    }

    /// The articles of this `stage`.
    nonisolated(nonsending) package func findAll(stage: Stage) async throws -> [Article] {
        try await find(index: 1, [StoredValue(encoding: stage)])
    }

    /// The articles of this `section`.
    nonisolated(nonsending) package func findAll(section: String) async throws -> [Article] {
        try await find(index: 2, [StoredValue(encoding: section)])
    }

    /// The articles of this `publishedAt`.
    nonisolated(nonsending) package func findAll(publishedAt: Foundation.Date) async throws
        -> [Article]
    {
        try await find(index: 3, [StoredValue(encoding: publishedAt)])
    }
}

nonisolated package enum Stage: String, StoredEnum, CaseIterable {
    case draft
    case inReview = "in_review"
    case published
}
