/// A type of another module.
public struct Parcel {}
