/// A number with its noun, such as `1 bike` or `2 bikes`.
///
/// - Parameters:
///   - noun: the noun for one.
///   - plural: the noun for any other number; nil to add an s.
public func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}
