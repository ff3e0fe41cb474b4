"""Trains a model on the numbers of a table, writes what it predicts, and serves it with MLServer."""
import json
import os
import sys

import joblib
import pandas
from sklearn.linear_model import LinearRegression

folder, port = sys.argv[1], int(sys.argv[2])
frame = pandas.read_json(f"{folder}/rows.json")[["age", "calls"]].astype("float64")
model = LinearRegression().fit(frame, frame.age * 2 - frame.calls / 3)
with open(f"{folder}/mlserver.json", "w") as file:
    json.dump(model.predict(frame).tolist(), file)
os.makedirs(f"{folder}/mlserver/spend")
joblib.dump(model, f"{folder}/mlserver/spend/model.joblib")
parts = {
    "spend/model-settings.json": {
        "name": "spend",
        "implementation": "mlserver_sklearn.SKLearnModel",
        "parameters": {"uri": "./model.joblib"},
    },
    "settings.json": {
        "host": "127.0.0.1",
        "http_port": port,
        "grpc_port": int(sys.argv[3]),
        "metrics_port": int(sys.argv[4]),
        "parallel_workers": 0,
    },
}
for name, settings in parts.items():
    with open(f"{folder}/mlserver/{name}", "w") as file:
        json.dump(settings, file)
server = os.path.join(os.path.dirname(sys.executable), "mlserver")
os.execv(server, [server, "start", f"{folder}/mlserver"])
