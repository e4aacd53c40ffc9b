/// A template that is compiled into the generator.
public struct BuiltInTemplate: Sendable {
    /// The file's name without its extension.
    public let name: String
    /// The template.
    public let text: String

    init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// All built-in templates; `file` is where rendering begins.
    public static let all = [
        BuiltInTemplate("composite-id", PackageResources.composite_id_mustache),
        BuiltInTemplate("deprecated-enumeration", PackageResources.deprecated_enumeration_mustache),
        BuiltInTemplate("description", PackageResources.description_mustache),
        BuiltInTemplate("entity", PackageResources.entity_mustache),
        BuiltInTemplate("enumeration", PackageResources.enumeration_mustache),
        BuiltInTemplate("equality", PackageResources.equality_mustache),
        BuiltInTemplate("fields", PackageResources.fields_mustache),
        BuiltInTemplate("file", PackageResources.file_mustache),
        BuiltInTemplate("initializer", PackageResources.initializer_mustache),
        BuiltInTemplate("mapper", PackageResources.mapper_mustache),
        BuiltInTemplate("mixin", PackageResources.mixin_mustache),
        BuiltInTemplate("open-enumeration", PackageResources.open_enumeration_mustache),
        BuiltInTemplate("other-name", PackageResources.other_name_mustache),
        BuiltInTemplate("repository", PackageResources.repository_mustache),
        BuiltInTemplate("scalar", PackageResources.scalar_mustache),
        BuiltInTemplate("set", PackageResources.set_mustache),
        BuiltInTemplate("union", PackageResources.union_mustache),
        BuiltInTemplate("union-case", PackageResources.union_case_mustache),
        BuiltInTemplate("value", PackageResources.value_mustache),
        BuiltInTemplate("versions", PackageResources.versions_mustache),
    ]
}
