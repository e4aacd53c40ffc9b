public protocol FirstProtocolWithALongName {}
public protocol SecondProtocolWithALongName {}
public protocol Third {}
public protocol Fourth {}
