"""A receiver of Sotto's webhooks in Python 3.9 or later, without further packages.

Prints each message once. Run it behind a proxy that terminates TLS:
WEBHOOK_SECRETS=whsec_... PORT=8443 python3 receiver.py
"""

import base64
import hashlib
import hmac
import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRETS = [
    base64.b64decode(secret.removeprefix("whsec_"))
    for secret in os.environ.get("WEBHOOK_SECRETS", "").split(",")
]
# A message has about 200 bytes.
MAX_BYTES = 4_096
# Messages that are older or newer by more seconds are rejected.
TOLERANCE_S = 300
# The service repeats a message for at most this time.
REMEMBERED_S = 25 * 3_600
# Times at which messages were handled, by id. A real receiver stores the ids in its database,
# together with the effect of each message.
handled = {}
lock = threading.Lock()


def handle(event):
    """Handles a message. If this function raises, the service sends the message again."""
    print(json.dumps(event, separators=(",", ":")), flush=True)


def is_signed(message_id, timestamp, body, signatures):
    """Returns true if one signature of the header is of one of the secrets."""
    signed = b".".join([message_id.encode(), timestamp.encode(), body])
    expected = [
        "v1," + base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
        for secret in SECRETS
    ]
    return any(
        hmac.compare_digest(given.encode(), one.encode())
        for given in signatures.split(" ")
        for one in expected
    )


def is_recent(timestamp):
    return timestamp.isdecimal() and abs(time.time() - int(timestamp)) <= TOLERANCE_S


class Receiver(BaseHTTPRequestHandler):
    # A sender that stops in the middle of a message does not block a thread for longer.
    timeout = 10

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MAX_BYTES:
            return self.answer(400)
        body = self.rfile.read(int(length))
        message_id = self.headers.get("webhook-id", "")
        timestamp = self.headers.get("webhook-timestamp", "")
        signatures = self.headers.get("webhook-signature", "")
        if not is_recent(timestamp) or not is_signed(message_id, timestamp, body, signatures):
            return self.answer(400)
        # One message at a time: the same message may arrive again while its first copy is handled.
        with lock:
            for old in [one for one, at in handled.items() if time.time() - at > REMEMBERED_S]:
                del handled[old]
            if message_id not in handled:
                try:
                    handle(json.loads(body))
                except Exception as error:
                    print(f"not handled: {type(error).__name__}", file=sys.stderr, flush=True)
                    return self.answer(500)
                handled[message_id] = time.time()
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *arguments):
        """Prints no request: a path may contain a secret."""


if __name__ == "__main__":
    host = os.environ.get("HOST", "127.0.0.1")
    server = ThreadingHTTPServer((host, int(os.environ.get("PORT", "8443"))), Receiver)
    print(f"listening on {host}:{server.server_address[1]}", file=sys.stderr, flush=True)
    server.serve_forever()
