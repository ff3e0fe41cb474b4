"""Verifies AWS signatures with botocore: one JSON request a line on stdin, one JSON verdict a line on stdout.

Request: {"method", "url", "headers": {...}, "body": base64, "secret", "token": text or null}
Verdict: {"ok": bool, "why": text}
"""

import base64
import hashlib
import hmac
import json
import re
import sys

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

AUTHORIZATION = re.compile(
    r"^AWS4-HMAC-SHA256 Credential=([^/,]+)/(\d{8})/([^/]+)/([^/]+)/aws4_request,\s*"
    r"SignedHeaders=([^,]+),\s*Signature=([0-9a-f]{64})$"
)
MUST_BE_SIGNED = ("host", "x-amz-date")


def verdict(asked):
    headers = {name.lower(): value for name, value in asked["headers"].items()}
    match = AUTHORIZATION.match(headers.get("authorization", ""))
    if not match:
        return "the Authorization header is not one of Signature Version 4"
    key_id, day, region, service, names, signature = match.groups()
    signed = names.split(";")
    token = asked.get("token")
    needed = MUST_BE_SIGNED + (("x-amz-security-token",) if token else ())
    for name in needed:
        if name not in signed:
            return f"{name} is not signed"
    if token and headers.get("x-amz-security-token") != token:
        return "the session token is another one"
    body = base64.b64decode(asked["body"])
    told = headers.get("x-amz-content-sha256")
    if told not in (None, "UNSIGNED-PAYLOAD", hashlib.sha256(body).hexdigest()):
        return "the body is not the one whose hash was sent"
    timestamp = headers["x-amz-date"]
    if not timestamp.startswith(day):
        return "the date and the scope differ"
    request = AWSRequest(method=asked["method"], url=asked["url"], data=body)
    for name in signed:
        if name not in headers:
            return f"{name} is signed but was not sent"
        request.headers[name] = headers[name]
    request.context["timestamp"] = timestamp
    signer = SigV4Auth(Credentials(key_id, asked["secret"]), service, region)
    # As sent: what is signed beside these is decided by the sender.
    canonical = signer.canonical_request(request)
    expected = signer.signature(signer.string_to_sign(request, canonical), request)
    if not hmac.compare_digest(expected, signature):
        return "the signature does not match:\n" + canonical
    return None


for line in sys.stdin:
    try:
        why = verdict(json.loads(line))
    except Exception as error:  # The answer is a verdict whatever happens: a test waits for it.
        why = f"the verifier failed: {error!r}"
    print(json.dumps({"ok": why is None, "why": why or ""}), flush=True)
