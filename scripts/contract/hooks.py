"""The rules that the contract states in words, because JSON Schema cannot: opaque values come from the registry, times
are within bounds that depend on the current time, names have at most 64 bytes, keys are keys, some fields belong together. Valid
requests are adapted to these rules; invalid ones are sent as they were made."""
import datetime
import os
import pathlib
import random
import sys
import uuid

import requests
import schemathesis
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from schemathesis.generation import GenerationMode

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "Tests" / "Partners"))
from hostile import signed_offer

RANDOM = random.Random(20261121)
PHOTO = bytes.fromhex(os.environ["PHOTO"])
CURSORS = set()
# The public part of the first Ed25519 key in RFC 8032, section 7.1.
PUBLIC_KEY = """\
-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=
-----END PUBLIC KEY-----
"""
# Another registry, which does not answer.
OFFER = signed_offer(
    "7GQKM2XPV9TD4RWH7GQK", "https://localhost:9", "fmb_partner_" + 43 * "x",
    Ed25519PrivateKey.from_private_bytes(bytes(range(32))), os.environ["PUBLIC_URL"])
# Calls that only a page of the registry itself may make.
BROWSER_CALLS = ("/v1/sign-up", "/v1/sessions", "/v1/display/pairing", "/v1/desk/session")
# The forms of the pages for finders and buyers.
FORMS = ("/found", "/messages/{secret}", "/check", "/check/message", "/followed/beacon", "/followed/message")
TOKENS = {name.lower(): os.environ[f"{name}_TOKEN"] for name in ("OWNER", "STATION", "OPERATOR")}


@schemathesis.serializer("image/jpeg")
def photo_bytes(ctx, value):
    """The contract's schema of a file permits any bytes, so a valid request sends a real photo in their place."""
    if is_positive(ctx.case):
        return PHOTO
    return value if isinstance(value, bytes) else str(value).encode(errors="surrogatepass")


@schemathesis.hook
def before_call(ctx, case, kwargs):
    spare_own_principals(case)
    if case.path in BROWSER_CALLS:
        case.headers["Sec-Fetch-Site"] = "same-origin"
    if not is_positive(case):
        return
    if case.method == "DELETE" and case.path == "/v1/owner":
        another_owner(case)
    if case.query and case.query.get("cursor") not in CURSORS:
        case.query.pop("cursor", None)
    if case.query and "quarantineSince" in case.query:
        case.query["quarantineSince"] = "2026-11-21T06:15:00Z"
    if case.headers and "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = f"{case.headers['Idempotency-Key'][:200]}{RANDOM.getrandbits(64)}"
    if case.headers and "If-Match" in case.headers and (tag := current_tag(case)):
        case.headers["If-Match"] = tag
    if case.path == "/v1/bikes/{bike}/photos" and case.method == "PUT":
        case.body = {"photos": current_photos(case)}
    elif case.path in FORMS and case.method == "POST":
        # What a finder types has rules that JSON Schema cannot express, such as the check of a code.
        case.body = {"uuid": str(uuid.UUID(int=RANDOM.getrandbits(128))), "major": "1", "minor": "2", "message": "x",
                     "number": "WTU 123"}
    elif isinstance(case.body, dict):
        case.body = kept_together(with_short_names(case.body))
        if case.path in ("/v1/sessions", "/v1/session/confirmation"):
            case.body = with_one_proof(case.body, "recoveryCode")
        if case.path in ("/v1/desk/session", "/v1/desk/session/confirmation"):
            case.body = with_one_proof(case.body, "token")


@schemathesis.hook
def after_call(ctx, case, response):
    if case.method == "GET" and response.status_code == 200 and "application/json" in str(response.headers):
        body = response.json()
        if isinstance(body, dict) and isinstance(body.get("next"), str):
            CURSORS.add(body["next"])


def is_positive(case):
    return case.meta is not None and case.meta.generation.mode == GenerationMode.POSITIVE


def with_short_names(value):
    """A field's name has at most 64 bytes, but JSON Schema counts characters."""
    if isinstance(value, dict):
        return {name: with_short_names(item) for name, item in value.items()
                if len(name.encode(errors="surrogatepass")) <= 64}
    return [with_short_names(item) for item in value] if isinstance(value, list) else value


def kept_together(body):
    if isinstance(body.get("identity"), dict) and "uuid" in body["identity"]:
        # Some identities are the factory setting of many beacons, or reserved for the registry.
        body["identity"] = body["identity"] | {"uuid": str(uuid.UUID(int=RANDOM.getrandbits(128)))}
    if isinstance(body.get("coverage"), list):
        body["coverage"] = [quarter | {"begins": "2026-11-21T06:15:00Z"} for quarter in body["coverage"][:1]]
    for field in ("missingSince", "heldUntil", "since", "ends"):
        body.pop(field, None)
    if "date" in body:
        body["date"] = now()
    if isinstance(body.get("publicKey"), str) and "publicKeyAlgorithm" not in body:
        body["publicKey"] = PUBLIC_KEY
    if "proof" in body:
        body |= OFFER
    elif "url" in body and "code" in body:
        body["url"] = OFFER["url"]
    elif "url" in body:
        body |= {"kind": "webhook", "url": f"https://example.org/{RANDOM.getrandbits(64)}"}
        for other in ("environment", "accessToken", "keys"):
            body.pop(other, None)
    if body.get("zone"):
        body["zone"] = "Europe/Berlin"
    if isinstance(hours := body.get("quietHours"), dict) and hours.get("from") == hours.get("to"):
        body["quietHours"] = {"from": "22:00", "to": "07:00"}
    if "number" in body:
        body["number"] = "WTU 123"
    # Numbers that buyers can check have their own form.
    for field in ("serial", "vin"):
        if field in body:
            body[field] = "WTU 123"
    if body.get("buyerCheck"):
        body |= {"serial": "WTU 123", "vin": "WTU 124"}
    if body.get("outcome") != "recovered":
        body.pop("recoveredBy", None)
    if body.get("rotating"):
        body.pop("exchangedWith", None)
    if body.get("exchangedWith") or body.get("rotating"):
        body.pop("identity", None)
    return body


def with_one_proof(body, default):
    """A browser sends exactly one proof of its user."""
    proofs = [name for name in ("passkey", "recoveryCode", "token") if body.get(name)]
    for name in proofs[1:]:
        del body[name]
    return body if proofs else body | {default: "x"}


def now():
    return datetime.datetime.now(datetime.UTC).isoformat()


def get(case, path, principal):
    """The response to the caller of a case, or to this principal if the case has no token."""
    authorization = (case.headers or {}).get("Authorization", f"Bearer {TOKENS[principal]}")
    url = case.operation.base_url.rstrip("/") + path
    return requests.get(url, headers={"Authorization": authorization}, timeout=30)


def current_tag(case):
    path = case.formatted_path.removesuffix("/beacon")
    return get(case, path, "operator" if path.startswith("/v1/stations") else "owner").headers.get("ETag")


def current_photos(case):
    """An order must name the bike's photos, which JSON Schema cannot express."""
    answer = get(case, case.formatted_path, "owner")
    return [photo["id"] for photo in answer.json()["items"]] if answer.status_code == 200 else []


def another_owner(case):
    """A principal that erased itself could not continue."""
    made = requests.post(case.operation.base_url.rstrip("/") + "/v1/owners", timeout=30).json()
    case.headers["Authorization"] = f"Bearer {made['token']}"


def spare_own_principals(case):
    """The run would end if it revoked its own tokens."""
    for parameter, name in [("station", "STATION_ID"), ("id", "TOKEN_ID"), ("operator", "OPERATOR_ID")]:
        if case.method == "DELETE" and (case.path_parameters or {}).get(parameter) == os.environ[name]:
            case.path_parameters[parameter] = str(uuid.UUID(int=RANDOM.getrandbits(128)))
