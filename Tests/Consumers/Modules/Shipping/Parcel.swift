public struct Parcel {}
