extension String {
    /// Makes a message from as much of this text as fits.
    ///
    /// - Parameter limit: the maximum length of the result in bytes.
    func fitting(_ limit: Int, _ make: (String) throws -> [UInt8]) rethrows -> [UInt8] {
        var text = self
        while true {
            let bytes = try make(text)
            let excess = bytes.count - limit
            guard excess > 0, !text.isEmpty else { return bytes }
            // Each character takes at least one byte; the ellipsis takes three.
            text = text.dropLast(Swift.max(1, excess / 4 + 4)) + (text.count > excess / 4 + 4 ? "…" : "")
        }
    }
}
