import Settings

/// Settings of the channels for alerts.
extension RegistrySettings {
    static let apnsKeyFile = Setting.path(
        "apns.keyFile", "The .p8 file with the key for Apple’s push service, mode 0600; absent: not offered."
    )
    static let apnsKeyID = Setting.text("apns.keyID", form: "ten characters", "The identifier of that key.")
    static let apnsTeamID = Setting.text("apns.teamID", form: "ten characters", "The team of the developer’s account.")
    static let apnsTopic = Setting.text(
        "apns.topic", form: "as in org.example.FindMyBike", "The app’s bundle identifier.")
    static let apnsProduction = Setting.httpURL(
        "apns.production", default: "https://api.push.apple.com", "Apple’s service for apps from its store."
    )
    static let apnsSandbox = Setting.httpURL(
        "apns.sandbox", default: "https://api.sandbox.push.apple.com", "Apple’s service for apps under development."
    )
    static let apnsAuthority = Setting.path(
        "apns.certificateAuthority", "PEM file to trust instead of the system’s authorities; for trying out."
    )

    static let mailServer = Setting<String>(
        "mail.server",
        form: "smtp://host:587, which must offer STARTTLS, or smtps://host:465",
        "The server that takes e-mail; absent: not offered. It signs (DKIM) and sends on.",
        parse: { text in
            let rest = ["smtp://", "smtps://"].first { text.hasPrefix($0) }.map { text.dropFirst($0.count) }
            guard let rest, !rest.isEmpty, !rest.contains(where: { $0.isWhitespace || "@/?#".contains($0) }) else {
                return nil
            }
            return text
        }
    )
    static let mailFrom = Setting.text(
        "mail.from", form: "as in alerts@example.org", "The address that e-mail comes from.")
    static let mailUser = Setting.text("mail.user", "Who logs in at the mail server; absent: nobody.")
    static let mailPasswordFile = Setting.path("mail.passwordFile", "The file with that user’s password, mode 0600.")
    static let mailAuthority = Setting.path(
        "mail.certificateAuthority", "PEM file to trust instead of the system’s authorities, for the mail server."
    )

    static let webPushKeyFile = Setting.path(
        "webpush.keyFile",
        "The key by which push services know this registry; ‘findmybike-registry key create-web-push’ makes it."
    )
    static let webPushContact = Setting.text(
        "webpush.contact", form: "mailto: or https: URL",
        "Whom the operators of push services ask; publicURL unless set."
    )

    static let channels: [any SettingDefinition] = [
        apnsKeyFile, apnsKeyID, apnsTeamID, apnsTopic, apnsProduction, apnsSandbox, apnsAuthority, mailServer, mailFrom,
        mailUser, mailPasswordFile, mailAuthority, webPushKeyFile, webPushContact,
    ]
}
