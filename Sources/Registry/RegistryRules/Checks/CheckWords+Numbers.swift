public import Languages
public import RegistryAPI

extension CheckWords {
    /// Why a text cannot be checked, for the person who has typed it.
    public func fault(_ flaw: BikeNumber.Flaw) -> String {
        switch flaw {
        case .length: faultLength
        case .characters: faultCharacters
        case .common: faultCommon
        }
    }

    /// The place at which a number differs from one that is missing, and both characters.
    public func difference(_ difference: SimilarNumber.Difference) -> String {
        self.difference(
            position: "\(difference.position)", checked: name(of: difference.checked),
            reported: name(of: difference.reported))
    }

    /// A character that is easily misread, with its kind: letter or digit.
    private func name(of character: String) -> String {
        switch character {
        case "0": zero
        case "1": one
        default: letter(character)
        }
    }
}
