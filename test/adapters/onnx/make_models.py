"""Trains models, converts them, and writes what Python's onnxruntime predicts: python make_models.py FOLDER

For each model NAME.onnx and NAME.json with features, targets, rows and the outputs of a run over all rows (for a fixed number of
rows: over as many as fit).
"""

import json
import pathlib
import sys

import numpy as np
import onnxruntime
import pandas
from lightgbm import LGBMClassifier, LGBMRegressor
from onnx import TensorProto, helper
from onnxmltools import convert_lightgbm, convert_xgboost
from onnxmltools.convert.common.data_types import FloatTensorType as ToolsFloat
from skl2onnx import convert_sklearn
from skl2onnx.common.data_types import DoubleTensorType, FloatTensorType, StringTensorType
from sklearn.cluster import KMeans
from sklearn.compose import ColumnTransformer
from sklearn.datasets import make_classification, make_regression
from sklearn.ensemble import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    IsolationForest,
    RandomForestClassifier,
)
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from xgboost import XGBClassifier, XGBRegressor

FOLDER = pathlib.Path(sys.argv[1])
NAMES = ["a", "b", "c", "d"]
X, y = make_classification(400, 4, n_informative=3, n_redundant=0, n_classes=3, n_clusters_per_class=1, random_state=1)
X = X.astype(np.float32)
TEXTS = np.array(["low", "mid", "high"])[y]
XR, yr = make_regression(400, 4, random_state=2)
XR = XR.astype(np.float32)


def plain(value):
    if isinstance(value, np.generic):
        value = value.item()
    return str(value) if isinstance(value, int) and abs(value) > 2**53 else value


def save(name, model, feeds, rows, features, targets, fixed=None):
    data = model.SerializeToString()
    session = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"])
    outputs = {}
    for output in session.get_outputs():
        if not output.type.startswith("tensor"):
            continue
        values = session.run([output.name], feeds)[0]
        outputs[output.name] = [[plain(one) for one in np.ravel(row)] for row in values]
    (FOLDER / f"{name}.onnx").write_bytes(data)
    facts = {"features": features, "targets": targets, "rows": rows, "outputs": outputs, "fixed": fixed}
    (FOLDER / f"{name}.json").write_text(json.dumps(facts))


def matrix(name, estimator, data, labels, targets, kind=FloatTensorType, rows=None, **options):
    estimator.fit(data, labels)
    converted = convert_sklearn(estimator, name, [("X", kind([rows, 4]))], target_opset={"": 17, "ai.onnx.ml": 3}, **options)
    some = data[: rows or 50]
    if kind is DoubleTensorType:
        some = some.astype(np.float64)
    values = [[float(one) for one in row] for row in some]
    save(name, converted, {"X": some}, [dict(zip(NAMES, row)) for row in values], NAMES, targets, rows)


NO_ZIPMAP = {"zipmap": False}
matrix("linear_regression", LinearRegression(), XR, yr, ["y"])
matrix("linear_regression_double", LinearRegression(), XR, yr, ["y"], DoubleTensorType)
matrix("logistic_regression", LogisticRegression(), X, y, ["y"], options=NO_ZIPMAP)
matrix("logistic_regression_texts", LogisticRegression(), X, TEXTS, ["level"], options=NO_ZIPMAP)
matrix("logistic_regression_zipmap", LogisticRegression(), X, TEXTS, ["level"])
matrix("random_forest", RandomForestClassifier(50, random_state=0), X, TEXTS, ["level"], options=NO_ZIPMAP)
matrix("random_forest_fixed", RandomForestClassifier(20, random_state=0), X, y, ["y"], rows=8, options=NO_ZIPMAP)
matrix("random_forest_one_row", RandomForestClassifier(20, random_state=0), X, y, ["y"], rows=1, options=NO_ZIPMAP)
matrix("gradient_boosting", GradientBoostingClassifier(random_state=0), X, y, ["y"], options=NO_ZIPMAP)
matrix("gradient_boosting_regressor", GradientBoostingRegressor(random_state=0), XR, yr, ["y"])
matrix("k_means", KMeans(3, n_init=3, random_state=0), X, None, ["cluster", "d0", "d1", "d2"])
matrix("isolation_forest", IsolationForest(n_estimators=30, random_state=0), X, None, ["outlier", "score"])
matrix("neighbours", KNeighborsClassifier(), X, TEXTS, ["level"], options=NO_ZIPMAP)
network = Pipeline([("scale", StandardScaler()), ("net", MLPClassifier((8, 8), max_iter=600, random_state=0))])
matrix("network", network, X, TEXTS, ["level"], options=NO_ZIPMAP)



def boosted(name, estimator, labels, targets, convert, **options):
    """A model of another library, as onnxmltools writes it: some outputs have no declared shape."""
    estimator.fit(X if labels is not yr else XR, labels)
    converted = convert(estimator, initial_types=[("X", ToolsFloat([None, 4]))], target_opset=15, **options)
    some = (X if labels is not yr else XR)[:50]
    save(name, converted, {"X": some}, [dict(zip(NAMES, map(float, row))) for row in some], NAMES, targets)


TREES = {"n_estimators": 20, "random_state": 0}
BINARY = (y > 0).astype(int)
boosted("lightgbm", LGBMClassifier(verbose=-1, **TREES), y, ["y"], convert_lightgbm, zipmap=False)
boosted("lightgbm_binary", LGBMClassifier(verbose=-1, **TREES), BINARY, ["y"], convert_lightgbm, zipmap=False)
boosted("lightgbm_regressor", LGBMRegressor(verbose=-1, **TREES), yr, ["y"], convert_lightgbm)
boosted("xgboost", XGBClassifier(**TREES), y, ["y"], convert_xgboost)
boosted("xgboost_binary", XGBClassifier(**TREES), BINARY, ["y"], convert_xgboost)
boosted("xgboost_regressor", XGBRegressor(**TREES), yr, ["y"], convert_xgboost)

# Text, a category and a number, each an input of its own.
messages = np.array(["disk full on host", "user logged in", "disk error", "login failed for user"] * 50)
kinds = np.array(["sys", "auth", "sys", "auth"] * 50)
sizes = np.arange(200, dtype=np.float32)
labels = np.array(["bad", "ok", "bad", "warn"] * 50)
frame = pandas.DataFrame({"message": messages, "kind": kinds, "size": sizes})
columns = ColumnTransformer(
    [
        ("text", TfidfVectorizer(), "message"),
        ("kind", OneHotEncoder(handle_unknown="ignore"), ["kind"]),
        ("size", StandardScaler(), ["size"]),
    ]
)
pipeline = Pipeline([("columns", columns), ("model", LogisticRegression())])
pipeline.fit(frame, labels)
initial = [("message", StringTensorType([None, 1])), ("kind", StringTensorType([None, 1])), ("size", FloatTensorType([None, 1]))]
# Python's runtime wants a locale that the machine has.
options = {TfidfVectorizer: {"locale": "C"}, LogisticRegression: NO_ZIPMAP}
converted = convert_sklearn(pipeline, "pipeline", initial, target_opset={"": 17, "ai.onnx.ml": 3}, options=options)
some = frame[:20]
feeds = {name: some[[name]].to_numpy(np.float32 if name == "size" else object).copy() for name in frame.columns}
rows = [{"size": float(s), "message": m, "kind": k} for m, k, s in zip(some.message, some.kind, some["size"])]
rows[3]["kind"] = feeds["kind"][3, 0] = "never seen"
save("pipeline", converted, feeds, rows, ["kind", "message", "size"], ["level"])

# Every type goes through and comes back.
TYPES = {
    "float": (TensorProto.FLOAT, np.float32, [0.1, -2.5]),
    "double": (TensorProto.DOUBLE, np.float64, [0.1, 1e300]),
    "int32": (TensorProto.INT32, np.int32, [-7, 2**31 - 1]),
    "int64": (TensorProto.INT64, np.int64, [2**53 + 1, -5]),
    "bool": (TensorProto.BOOL, np.bool_, [True, False]),
    "string": (TensorProto.STRING, object, ["äö \"", "x,y"]),
}


def infos(prefix):
    return [helper.make_tensor_value_info(prefix + name, kind, [None, 1]) for name, (kind, _, _) in TYPES.items()]


nodes = [helper.make_node("Identity", [f"in_{name}"], [f"out_{name}"]) for name in TYPES]
graph = helper.make_graph(nodes, "types", infos("in_"), infos("out_"))
same = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
feeds = {f"in_{name}": np.array(values, dtype=kind).reshape(2, 1) for name, (_, kind, values) in TYPES.items()}
rows = [{f"in_{name}": plain(values[row]) for name, (_, _, values) in TYPES.items()} for row in range(2)]
save("types", same, feeds, rows, [f"in_{name}" for name in TYPES], list(TYPES))
