package import Foundation
package import RepositoryRuntime

/// A record with rules.
nonisolated package struct Product: Entity {
    /// The id of a product.
    package typealias ID = EntityID<Product, String>
    /// The mapper between a product and its fields.
    package typealias Mapper = ProductMapper

    package let id: ID
    package var name: String
    package var stock: Int
    package var weight: Double?
    package var price: Foundation.Decimal
    package var rating: Foundation.Decimal?
    package var codes: [String]
    package var picture: Foundation.Data?
    package var sku: String?
    package var pin: String?
    package var size: Size?

    /// Makes a product that is not stored yet.
    package init(
        id: ID,
        name: String = "Thing",
        stock: Int = 1,
        weight: Double? = nil,
        price: Foundation.Decimal = 0,
        rating: Foundation.Decimal? = nil,
        codes: [String] = [],
        picture: Foundation.Data? = nil,
        sku: String? = nil,
        pin: String? = nil,
        size: Size? = nil
    ) {
        self.id = id
        self.name = name
        self.stock = stock
        self.weight = weight
        self.price = price
        self.rating = rating
        self.codes = codes
        self.picture = picture
        self.sku = sku
        self.pin = pin
        self.size = size
    }

    package static func == (left: Product, right: Product) -> Bool {
        guard left.id == right.id else { return false }
        guard left.name == right.name else { return false }
        guard left.stock == right.stock else { return false }
        guard left.weight == right.weight else { return false }
        guard left.price == right.price else { return false }
        guard left.rating == right.rating else { return false }
        guard left.codes == right.codes else { return false }
        guard left.picture == right.picture else { return false }
        guard left.sku == right.sku else { return false }
        guard left.pin == right.pin else { return false }
        return left.size == right.size
    }
}

/// A description without the sensitive fields.
extension Product: CustomStringConvertible, CustomReflectable {
    package var description: String {
        EntityDescription.text(self)
    }

    package var customMirror: Mirror {
        EntityDescription.mirror(self)
    }
}

/// The mapping between ``Product`` and its fields, one for every store and format.
nonisolated package enum ProductMapper: EntityMapper {
    private static let skuPattern = TextPattern("[A-Z]{2}-[0-9]+")

    package static let table: EntityTable = {
        var table = EntityTable("products", entity: "Product")
        table.field("id", .text, rules: FieldRules(minLength: 2, maxLength: 8), key: true)
        table.field(
            "name", .text, default: .text("Thing"), rules: FieldRules(minLength: 1, maxLength: 10))
        table.field(
            "stock", .int64, default: .integer(1),
            rules: FieldRules(minimum: .integer(0), maximum: .integer(1000)))
        table.field(
            "weight", .double, optional: true,
            rules: FieldRules(minimum: .double(0), maximum: .double(99.5)))
        table.field(
            "price", .decimal(scale: 2), default: .decimal(0),
            rules: FieldRules(minimum: .decimal(0)))
        table.field("rating", .decimal(scale: 1), optional: true)
        table.field("codes", .list(.text), default: .list([]), rules: FieldRules(maxLength: 3))
        table.field("picture", .data, optional: true, rules: FieldRules(minLength: 1, maxLength: 4))
        table.field("sku", .text, optional: true, rules: FieldRules(pattern: "[A-Z]{2}-[0-9]+"))
        table.field("pin", .text, optional: true, rules: FieldRules(minLength: 4), sensitive: true)
        table.field("size", .object(SizeMapper.layout), optional: true)
        return table
    }()

    package static func encode<E: FieldEncoder>(_ product: Product, to fields: inout E) throws {
        try fields.encode(product.id, at: 0)
        try fields.encode(product.name, at: 1)
        try fields.encode(product.stock, at: 2)
        try fields.encode(product.weight, at: 3)
        try fields.encode(product.price, at: 4)
        try fields.encode(product.rating, at: 5)
        try fields.encode(product.codes, at: 6)
        try fields.encode(product.picture, at: 7)
        try fields.encode(product.sku, at: 8)
        try fields.encode(product.pin, at: 9)
        try fields.encode(product.size, at: 10)
    }

    package static func decode<D: FieldDecoder>(from fields: inout D) throws -> Product {
        let id = try fields.decode(Product.ID.self, at: 0)
        let name = try fields.decode(String.self, at: 1, default: "Thing")
        let stock = try fields.decode(Int.self, at: 2, default: 1)
        let weight = try fields.decode(Double?.self, at: 3)
        let price = try fields.decode(Foundation.Decimal.self, at: 4, default: 0)
        let rating = try fields.decode(Foundation.Decimal?.self, at: 5)
        let codes = try fields.decode([String].self, at: 6, default: [])
        let picture = try fields.decode(Foundation.Data?.self, at: 7)
        let sku = try fields.decode(String?.self, at: 8)
        let pin = try fields.decode(String?.self, at: 9)
        let size = try fields.decode(Size?.self, at: 10)
        return Product(
            id: id,
            name: name,
            stock: stock,
            weight: weight,
            price: price,
            rating: rating,
            codes: codes,
            picture: picture,
            sku: sku,
            pin: pin,
            size: size
        )
    }

    package static func prepare(_ product: inout Product, for write: WriteContext) throws {
        try write.checkLength(product.id.rawValue, "id", minimum: 2, maximum: 8)
        try write.checkLength(product.name, "name", minimum: 1, maximum: 10)
        try write.check(product.stock, "stock", minimum: 0, maximum: 1000)
        try write.check(product.weight, "weight", minimum: 0, maximum: 99.5)
        product.price = try write.rounded(product.price, scale: 2, "price")
        try write.check(product.price, "price", minimum: 0)
        product.rating = try write.rounded(product.rating, scale: 1, "rating")
        try write.checkLength(product.codes, "codes", maximum: 3)
        try write.checkLength(product.picture, "picture", minimum: 1, maximum: 4)
        try write.check(product.sku, "sku", matches: skuPattern)
        try write.checkLength(product.pin, "pin", minimum: 4)
        product.size = try write.prepared(product.size, "size")
    }
}

/// The products, wherever they are stored.
nonisolated package struct ProductRepository: EntityRepository {
    package typealias Model = Product
    package let context: RepositoryContext

    package init(_ context: RepositoryContext) {
        self.context = context
    }
}

nonisolated package struct Size: EmbeddedValue {
    /// The mapper between a size and its fields.
    package typealias Mapper = SizeMapper

    package var width: Int
    package var unit: String

    /// Makes a size.
    package init(
        width: Int,
        unit: String = "mm"
    ) {
        self.width = width
        self.unit = unit
    }

    package static func == (left: Size, right: Size) -> Bool {
        guard left.width == right.width else { return false }
        return left.unit == right.unit
    }
}

/// The mapping between ``Size`` and its fields, one for every store and format.
nonisolated package enum SizeMapper: RecordMapper {
    package static let layout = FieldLayout(
        "Size",
        [
            FieldDescription("width", .int64),
            FieldDescription("unit", .text, default: .text("mm")),
        ])

    package static func encode<E: FieldEncoder>(_ size: Size, to fields: inout E) throws {
        try fields.encode(size.width, at: 0)
        try fields.encode(size.unit, at: 1)
    }

    package static func decode<D: FieldDecoder>(from fields: inout D) throws -> Size {
        let width = try fields.decode(Int.self, at: 0)
        let unit = try fields.decode(String.self, at: 1, default: "mm")
        return Size(
            width: width,
            unit: unit
        )
    }

    package static func prepare(_ size: inout Size, for write: WriteContext) throws {
        try write.check(size.width, "width", minimum: 1)
        try write.checkLength(size.unit, "unit", maximum: 2)
    }
}
