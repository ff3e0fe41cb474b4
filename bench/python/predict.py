"""A search command that applies an ONNX model to columns a, b, c, d, written with nothing but what it needs: the chunked
protocol by hand, the csv module, numpy, and onnxruntime on one thread."""

import csv
import io
import json
import re
import sys

HEADER = re.compile(rb"chunked 1\.0\s*,\s*(\d+)\s*,\s*(\d+)\s*\n")
FEATURES = ["a", "b", "c", "d"]
TARGET = "predicted(y)"


def read():
    header = sys.stdin.buffer.readline()
    if not header:
        return None, None
    metadata, body = (int(size) for size in HEADER.match(header).groups())
    return json.loads(sys.stdin.buffer.read(metadata)), sys.stdin.buffer.read(body).decode()


def write(metadata, body=""):
    data, text = json.dumps(metadata).encode(), body.encode()
    sys.stdout.buffer.write(b"chunked 1.0,%d,%d\n" % (len(data), len(text)) + data + text)
    sys.stdout.buffer.flush()


def main(model):
    read()
    write({"type": "stateful", "required_fields": ["*"]})
    import numpy
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    while True:
        metadata, body = read()
        if metadata is None:
            return
        rows = list(csv.reader(io.StringIO(body, newline="")))
        header, rows = rows[0], rows[1:]
        places = [header.index(feature) for feature in FEATURES]
        values = numpy.array([[row[place] for place in places] for row in rows], dtype=numpy.float32)
        (labels,) = session.run(["label"], {"X": values})
        out = io.StringIO(newline="")
        writer = csv.writer(out)
        writer.writerow([*header, TARGET])
        writer.writerows([*row, label] for row, label in zip(rows, labels.tolist()))
        finished = metadata.get("finished", False)
        write({"finished": finished}, out.getvalue())
        if finished:
            return


main(sys.argv[1])
