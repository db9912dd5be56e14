import HTTPTypes

extension HTTPFields {
    /// The value of a field, of a request of which every step costs time; several are joined, as by the subscript. The
    /// subscript joins even a single value, through generic types, which takes several times as many instructions.
    func text(of name: HTTPField.Name) -> String? {
        let fields = self[fields: name]
        return fields.count > 1 ? self[name] : fields.first?.value
    }
}
