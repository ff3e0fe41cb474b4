"""Feeds a streaming search command with the public SDK's own writer of chunks, and reads it with the SDK's reader."""
import csv
import io
import json
import subprocess
import sys

from splunklib.searchcommands.internals import CsvDialect, RecordWriterV2
from splunklib.searchcommands.search_command import SearchCommand

launcher, hello, chunks = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])
process = subprocess.Popen([launcher], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def send(metadata, rows=()):
    writer = RecordWriterV2(process.stdin)
    writer.write_records(rows)
    writer._write_chunk(metadata.items(), writer._buffer.getvalue())


def receive():
    metadata, body = SearchCommand._read_chunk(process.stdout)
    rows = list(csv.DictReader(io.StringIO(body, newline=""), dialect=CsvDialect)) if body else []
    return {"metadata": json.loads(json.dumps(metadata, default=lambda value: value.__dict__)), "rows": rows}


send(hello)
read = [receive()]
for index, rows in enumerate(chunks):
    send({"action": "execute", "finished": index == len(chunks) - 1}, rows)
    read.append(receive())
process.stdin.close()
if process.wait(timeout=30) != 0:
    sys.exit("the command ended with %s" % process.returncode)
json.dump(read, sys.stdout)
