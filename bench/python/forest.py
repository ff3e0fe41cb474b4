"""Trains a random forest of 100 trees on four features and writes it as ONNX: python forest.py FILE"""

import pathlib
import sys

import numpy
from skl2onnx import to_onnx
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier

X, y = make_classification(5000, 4, n_informative=3, n_redundant=0, random_state=0)
X = X.astype(numpy.float32)
forest = RandomForestClassifier(100, random_state=0).fit(X, y)
model = to_onnx(forest, X[:1], options={"zipmap": False})
pathlib.Path(sys.argv[1]).write_bytes(model.SerializeToString())
