import CPostgreSQL

/// The types of the server that have a binary form here, by their fixed object identifiers (`pg_type.dat` in
/// PostgreSQL's sources).
enum ServerType {
    static let boolean: Oid = 16
    static let bytes: Oid = 17
    static let name: Oid = 19
    static let integer8: Oid = 20
    static let integer2: Oid = 21
    static let integer4: Oid = 23
    static let text: Oid = 25
    static let object: Oid = 26
    static let transaction: Oid = 28
    static let json: Oid = 114
    static let double4: Oid = 700
    static let double8: Oid = 701
    static let unknown: Oid = 705
    static let characters: Oid = 1042
    static let varyingCharacters: Oid = 1043
    static let transaction8: Oid = 5069

    static let booleanArray: Oid = 1000
    static let bytesArray: Oid = 1001
    static let integer2Array: Oid = 1005
    static let integer4Array: Oid = 1007
    static let textArray: Oid = 1009
    static let varyingCharactersArray: Oid = 1015
    static let integer8Array: Oid = 1016
    static let double4Array: Oid = 1021
    static let double8Array: Oid = 1022

    /// The type of an array's elements; nil for any other type.
    static func element(of array: Oid) -> Oid? {
        switch array {
        case booleanArray: boolean
        case bytesArray: bytes
        case integer2Array: integer2
        case integer4Array: integer4
        case textArray: text
        case varyingCharactersArray: varyingCharacters
        case integer8Array: integer8
        case double4Array: double4
        case double8Array: double8
        default: nil
        }
    }
}
