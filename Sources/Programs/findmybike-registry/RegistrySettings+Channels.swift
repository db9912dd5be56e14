import Notifiers
import RegistrySQL
import Settings
import Syntax

/// Settings of the channels for alerts.
extension RegistrySettings {
    static let apnsKeyFile = Setting.path(
        "apns.keyFile", "The .p8 file with the key for Apple’s push service, mode 0600; if not set, no apns channels."
    )
    static let apnsKeyID = Setting.text("apns.keyID", form: "ten characters", "The identifier of that key.")
    static let apnsTeamID = Setting.text("apns.teamID", form: "ten characters", "The team of the developer’s account.")
    static let apnsTopic = Setting.text(
        "apns.topic", form: "a name such as org.example.FindMyBike", "The app’s bundle identifier.")
    static let apnsProduction = Setting.httpURL(
        "apns.production", default: "https://api.push.apple.com", "Apple’s service for apps from its store."
    )
    static let apnsSandbox = Setting.httpURL(
        "apns.sandbox", default: "https://api.sandbox.push.apple.com", "Apple’s service for apps under development."
    )
    static let apnsAuthority = Setting.path(
        "apns.certificateAuthority", "PEM file to trust instead of the system’s authorities; for tests."
    )

    static let mailServer = Setting<String>(
        "mail.server",
        form: "smtp://host:587, which must offer STARTTLS, or smtps://host:465",
        "The server that accepts, signs (DKIM) and forwards e-mail; if not set, no email channels.",
        parse: { text in
            guard let rest = text.dropping(prefix: "smtp://") ?? text.dropping(prefix: "smtps://") else { return nil }
            let isHost = !rest.unicodeScalars.contains {
                $0.properties.isWhitespace || "@/?#".unicodeScalars.contains($0)
            }
            return isHost && !rest.isEmpty ? text : nil
        }
    )
    static let mailFrom = Setting.text(
        "mail.from", form: "an address such as alerts@example.org", "The address from which the registry sends e-mail.")
    static let mailUser = Setting.text("mail.user", "The user to log in as at the mail server; if not set, no login.")
    static let mailPasswordFile = Setting.path("mail.passwordFile", "The file with that user’s password, mode 0600.")
    static let mailAuthority = Setting.path(
        "mail.certificateAuthority", "PEM file to trust instead of the system’s authorities, for the mail server."
    )

    static let webPushKeyFile = Setting.path(
        "webpush.keyFile",
        "File with the key that identifies this registry to push services; ‘key create-web-push’ makes it."
    )
    static let webPushContact = Setting<String>(
        "webpush.contact", form: "mailto: with an address, or an https URL, of a public name",
        "The contact for operators of push services; publicURL if not set.",
        parse: { VAPIDKey.isContact($0) ? $0 : nil }
    )

    /// All settings of this file.
    static let channels: [any SettingDefinition] = [
        apnsKeyFile, apnsKeyID, apnsTeamID, apnsTopic, apnsProduction, apnsSandbox, apnsAuthority, mailServer, mailFrom,
        mailUser, mailPasswordFile, mailAuthority, webPushKeyFile, webPushContact,
    ]
}
