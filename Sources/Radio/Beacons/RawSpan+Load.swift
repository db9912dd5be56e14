extension RawSpan {
    /// The byte at an offset. The caller must check the bounds; a wrong offset traps and never reads outside.
    @inlinable
    package subscript(byte offset: Int) -> UInt8 {
        unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self)
    }

    /// A big-endian integer at any offset; the caller must check the bounds.
    @inlinable
    package func bigEndian<Value: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, as type: Value.Type) -> Value {
        Value(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: type))
    }

    /// A little-endian integer at any offset; the caller must check the bounds.
    @inlinable
    package func littleEndian<Value: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, as type: Value.Type) -> Value {
        Value(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: type))
    }
}
