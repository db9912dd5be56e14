import Foundation
import HTTPClient
import Notifiers
import OperatingSystem
import RegistryRules
import Settings

/// The notifiers that the settings enable.
struct ChannelNotifiers {
    let notifiers: [any Notifier]
    /// The public key for browsers' subscriptions; nil if Web Push is not enabled.
    let webPushKey: String?
    /// A problem that is likely later, with its remedy; nil if there is none.
    let warning: String?

    /// - Throws: ``SettingsError`` if a channel's settings are incomplete; ``CommandFailure`` if its file cannot be read.
    init(_ settings: ProgramSettings) throws {
        let allowPrivate = settings.value(RegistrySettings.allowPrivateAddresses)
        let key = try Self.webPushKey(settings)
        var notifiers: [any Notifier] = [
            try WebhookNotifier(allowPrivateAddresses: allowPrivate),
            try NtfyNotifier(allowPrivateAddresses: allowPrivate),
        ]
        if let notifier = try Self.apns(settings) { notifiers.append(notifier) }
        if let notifier = try Self.email(settings) { notifiers.append(notifier) }
        var warning: String?
        if let key {
            let contact = settings.value(RegistrySettings.webPushContact) ?? settings.value(RegistrySettings.publicURL)
            guard let contact else {
                throw SettingsError(["webpush.keyFile also needs webpush.contact or publicURL, for push services"])
            }
            if !VAPIDKey.isContact(contact) {
                warning =
                    "Apple’s push service refuses messages whose contact is \(contact), which is taken from publicURL: set "
                    + "webpush.contact, as in mailto:operator@example.org"
            }
            notifiers.append(try WebPushNotifier(key: key, contact: contact, allowPrivateAddresses: allowPrivate))
        }
        self.notifiers = notifiers
        self.warning = warning
        webPushKey = key?.publicKey
    }

    /// Apple's push service; nil if it is not enabled.
    private static func apns(_ settings: ProgramSettings) throws -> APNsNotifier? {
        guard let path = settings.value(RegistrySettings.apnsKeyFile) else { return nil }
        guard let keyID = settings.value(RegistrySettings.apnsKeyID),
            let teamID = settings.value(RegistrySettings.apnsTeamID),
            let topic = settings.value(RegistrySettings.apnsTopic)
        else { throw SettingsError(["apns.keyFile also needs apns.keyID, apns.teamID and apns.topic"]) }
        let pem = try SecretFile(path: path).registryText()
        guard let key = try? APNsKey(pem: pem, keyID: keyID, teamID: teamID) else {
            throw SettingsError(["apns.keyFile: \(path) contains no private key from Apple (.p8)"])
        }
        var hosts = APNsNotifier.Hosts()
        hosts.production = settings.value(RegistrySettings.apnsProduction)
        hosts.sandbox = settings.value(RegistrySettings.apnsSandbox)
        hosts.certificateAuthorityFile = settings.value(RegistrySettings.apnsAuthority)
        return try APNsNotifier(key: key, topic: topic, hosts: hosts)
    }

    /// E-mail; nil if it is not enabled.
    private static func email(_ settings: ProgramSettings) throws -> EmailNotifier? {
        guard let url = settings.value(RegistrySettings.mailServer) else { return nil }
        guard let sender = settings.value(RegistrySettings.mailFrom),
            let publicURL = settings.value(RegistrySettings.publicURL)
        else { throw SettingsError(["mail.server needs mail.from, and publicURL for its links"]) }
        guard EmailNotifier.isAddress(sender) else {
            throw SettingsError(["mail.from must be a plain address, as in alerts@example.org"])
        }
        let user = settings.value(RegistrySettings.mailUser)
        let passwordFile = settings.value(RegistrySettings.mailPasswordFile)
        guard (user == nil) == (passwordFile == nil) else {
            throw SettingsError(["mail.user and mail.passwordFile must be set together, or both left out"])
        }
        let server = MailServer(
            url: url, user: user, password: try passwordFile.map { try SecretFile(path: $0).registryText() },
            certificateAuthorityFile: settings.value(RegistrySettings.mailAuthority)
        )
        return EmailNotifier(server: server, from: sender, publicURL: publicURL)
    }

    /// The key for Web Push; nil if it is not enabled.
    private static func webPushKey(_ settings: ProgramSettings) throws -> VAPIDKey? {
        guard let path = settings.value(RegistrySettings.webPushKeyFile) else { return nil }
        do {
            return try VAPIDKey(decoding: try SecretFile(path: path).registryContents())
        } catch let error as VAPIDKey.FormatError {
            throw SettingsError(["webpush.keyFile: \(path): \(error)"])
        }
    }
}
