"""A persistent REST handler as apps usually write one: the public SDK reads what the request asks for.

The platform's own Python driver cannot be had, so the frames are read and written here, with as little as that takes.
"""

import json
import sys
from urllib.parse import urlsplit

import splunklib.client as client


def handle(request):
    """The caller's context and one record of the KV store: the calls that the app makes for a record."""
    at = urlsplit(request["server"]["rest_uri"])
    service = client.connect(
        scheme=at.scheme,
        host=at.hostname,
        port=at.port,
        token=request["session"]["authtoken"],
        owner="nobody",
        app="ml_extension",
        autologin=False,
    )
    context = service.get("/services/authentication/current-context", output_mode="json")
    user = json.loads(context.body.read())["entry"][0]["content"]["username"]
    name = request["rest_path"].rsplit("/", 1)[-1]
    record = service.get("storage/collections/data/ml_mcp_connections/" + name, output_mode="json")
    config = json.loads(record.body.read())
    return {"payload": {"status": "success", "user": user, "config": config}, "status": 200}


def line(stream):
    while True:
        text = stream.readline()
        if text != b"\n":
            return text


def string(stream):
    return stream.read(int(line(stream)))


def main():
    packets, replies = sys.stdin.buffer, sys.stdout.buffer
    while True:
        opcode = packets.read(1)
        while opcode == b"\n":
            opcode = packets.read(1)
        if not opcode:
            return
        if opcode[0] & 1:
            for _ in range(int(line(packets))):
                string(packets)
            string(packets)
        if opcode[0] & 2:
            reply = json.dumps(handle(json.loads(string(packets)))).encode()
            replies.write(b"0\n%d\n" % len(reply) + reply)
            replies.flush()


main()
