public struct Angle {}
