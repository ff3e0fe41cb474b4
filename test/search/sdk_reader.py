"""Drives a generating search command as splunkd does, and reads it with the public SDK's own reader of chunks."""
import csv
import io
import json
import subprocess
import sys

from splunklib.searchcommands.internals import CsvDialect
from splunklib.searchcommands.search_command import SearchCommand

launcher, hello = sys.argv[1:]
process = subprocess.Popen([launcher], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def send(metadata):
    data = metadata.encode("utf-8")
    process.stdin.write(b"chunked 1.0,%d,0\n" % len(data) + data)
    process.stdin.flush()


def receive():
    metadata, body = SearchCommand._read_chunk(process.stdout)
    rows = list(csv.DictReader(io.StringIO(body, newline=""), dialect=CsvDialect)) if body else []
    # The SDK reads metadata into objects of its own.
    read.append({"metadata": json.loads(json.dumps(metadata, default=lambda value: value.__dict__)), "rows": rows})
    return getattr(metadata, "finished", False)


read = []
send(hello)
receive()
while True:
    send('{"action":"execute","finished":true}')
    if receive():
        break
process.stdin.close()
if process.wait(timeout=30) != 0:
    sys.exit("the command ended with %s" % process.returncode)
json.dump(read, sys.stdout)
