import HTTPTypes

extension HTTPFields {
    /// The value of a field; several are joined, as by the subscript. The subscript takes 3,400 instructions even for a
    /// single value. Use this for the most frequent calls.
    func text(of name: HTTPField.Name) -> String? {
        let fields = self[fields: name]
        return fields.count > 1 ? self[name] : fields.first?.value
    }
}
