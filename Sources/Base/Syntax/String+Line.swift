extension String {
    /// The text on one line of at most this many Unicode scalars, the last of which is an ellipsis if it was cut.
    /// Control characters, line breaks and marks that change the text direction become spaces.
    ///
    /// A Character can have any number of scalars, so the limit counts scalars.
    public func line(atMost limit: Int) -> String {
        var line = UnicodeScalarView()
        var count = 0
        for scalar in unicodeScalars {
            count += 1
            guard count <= limit else {
                _ = line.popLast()
                line.append("…")
                break
            }
            line.append(scalar.isInLine ? scalar : " ")
        }
        return String(line)
    }
}

extension Unicode.Scalar {
    /// Whether it neither ends a line, nor controls a device, nor changes the direction of the text around it.
    ///
    /// Characters that are not yet in this program's Unicode version are accepted, because people may have newer ones.
    public var isInLine: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        case .format: !properties.isBidiControl
        default: true
        }
    }
}
