/// A protocol of the user.
public protocol FirstProtocolWithALongName {}
/// A protocol of the user.
public protocol SecondProtocolWithALongName {}
/// A protocol of the user.
public protocol Third {}
/// A protocol of the user.
public protocol Fourth {}
