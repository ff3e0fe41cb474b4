"""Trains a model on a table, writes what it predicts, and serves it with MLflow's scoring server."""
import json
import sys

import mlflow.sklearn
import pandas
import uvicorn
from mlflow.models import infer_signature
from mlflow.pyfunc import load_model, scoring_server
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

folder, port = sys.argv[1], int(sys.argv[2])
frame = pandas.read_json(f"{folder}/rows.json").astype({"age": "float64"})
target = ["leaves" if age > 40 and plan == "basic" else "stays" for age, plan in zip(frame.age, frame.plan)]
encoder = ColumnTransformer([("plan", OneHotEncoder(), ["plan"])], remainder="passthrough")
model = Pipeline([("encoder", encoder), ("tree", DecisionTreeClassifier(random_state=0, max_depth=2))])
model.fit(frame, target)
predicted = model.predict(frame)
path = f"{folder}/mlflow"
signature = infer_signature(frame, predicted)
mlflow.sklearn.save_model(model, path, signature=signature, serialization_format="cloudpickle", pip_requirements=[])
with open(f"{folder}/mlflow.json", "w") as file:
    json.dump(predicted.tolist(), file)
uvicorn.run(scoring_server.init(load_model(path)), host="127.0.0.1", port=port, log_level="warning")
