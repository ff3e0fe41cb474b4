"""Nearest neighbours by other libraries: a line `engine row` is answered by its time and its ids."""

import json
import sys
import time

import chromadb
import numpy
from qdrant_client import QdrantClient, models

path, dimensions, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
vectors = numpy.fromfile(path, dtype=numpy.float32).reshape(-1, dimensions)
ids = list(range(len(vectors)))

qdrant = QdrantClient(":memory:")
qdrant.create_collection(
    "bench", vectors_config=models.VectorParams(size=dimensions, distance=models.Distance.COSINE)
)
qdrant.upload_collection("bench", vectors=vectors, ids=ids, batch_size=1000)

chroma = chromadb.EphemeralClient().create_collection("bench", configuration={"hnsw": {"space": "cosine"}})
for start in range(0, len(vectors), 5000):
    some = vectors[start : start + 5000]
    chroma.add(ids=[str(start + at) for at in range(len(some))], embeddings=some)


def ask_numpy(query):
    scores = vectors @ query
    best = numpy.argpartition(-scores, count)[:count]
    return best.tolist()


ENGINES = {
    "qdrant": lambda query: [
        point.id for point in qdrant.query_points("bench", query=query.tolist(), limit=count).points
    ],
    "chroma": lambda query: [
        int(each) for each in chroma.query(query_embeddings=[query], n_results=count, include=[])["ids"][0]
    ],
    "numpy": ask_numpy,
}

print(json.dumps({"ready": True}), flush=True)
for line in sys.stdin:
    engine, row = line.split()
    query = vectors[int(row)]
    started = time.perf_counter()
    found = ENGINES[engine](query)
    elapsed = (time.perf_counter() - started) * 1000
    print(json.dumps({"ms": elapsed, "ids": found}), flush=True)
