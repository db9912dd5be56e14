extension Collection where Element == UInt8 {
    /// The bytes after UTF-8's byte order mark, with which some editors begin a file (The Unicode Standard, section 23.8);
    /// all bytes if there is none.
    public var withoutByteOrderMark: SubSequence { dropFirst(starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0) }
}
