"""A browser with a passkey, as far as the registry sees it: enough to sign up (Web Authentication, level 3)."""
import base64
import hashlib
import json
import os
import subprocess
import urllib.request


def sign_up(url):
    """Signs up as the registry's page does; returns the recovery codes."""
    asked, _ = post(url, "/v1/passkeys/challenge", {})
    client = {"type": "webauthn.create", "challenge": asked["challenge"], "origin": url, "crossOrigin": False}
    key = public_key()
    made, cookie = post(url, "/v1/sign-up", {"passkey": {
        "clientDataJSON": encoded(json.dumps(client).encode()),
        "authenticatorData": encoded(authenticator_data(asked["relyingParty"], key)),
        "publicKey": encoded(key), "publicKeyAlgorithm": -7,
    }})
    assert cookie.startswith("__Host-session="), cookie
    return made["recoveryCodes"]


def post(url, path, body):
    """Sends a request as a page of the registry does; returns the answer and the cookie that it sets."""
    request = urllib.request.Request(
        url + path, json.dumps(body).encode(), {"Content-Type": "application/json", "Origin": url})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer), answer.headers.get("Set-Cookie", "")


def public_key():
    """The public half of a new key for ES256, as SubjectPublicKeyInfo."""
    private = subprocess.run(
        ["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout"], check=True, capture_output=True)
    return subprocess.run(
        ["openssl", "ec", "-pubout", "-outform", "DER"], input=private.stdout, check=True, capture_output=True).stdout


def authenticator_data(relying_party, key):
    """The data of a new credential: its user was present and verified."""
    x, y, credential = key[-64:-32], key[-32:], os.urandom(16)
    cose = b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20" + x + b"\x22\x58\x20" + y
    present, verified, attested = 0x01, 0x04, 0x40
    return b"".join((
        hashlib.sha256(relying_party.encode()).digest(), bytes([present | verified | attested]), bytes(4), bytes(16),
        len(credential).to_bytes(2, "big"), credential, cose))


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
