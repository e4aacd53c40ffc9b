/// A type of another module.
public struct Angle {}
