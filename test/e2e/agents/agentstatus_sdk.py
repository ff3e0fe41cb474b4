"""Runs searches with the public Python SDK and tells what came of them. An argument is a search, or `sid:` and its id."""
import json
import os
import sys
import time

import splunklib.client as client
import splunklib.results as results

service = client.connect(
    host="127.0.0.1",
    port=int(os.environ["SDK_PORT"]),
    scheme="https",
    username="admin",
    password=os.environ["SDK_PASSWORD"],
    app="search",
    autologin=True,
)
told = []
for step in sys.argv[1:]:
    job = service.job(step[4:]) if step.startswith("sid:") else service.jobs.create(step, exec_mode="normal")
    previews = 0
    for _ in range(600):
        if job.is_ready():
            if job.is_done():
                break
            previews = max(previews, int(job["resultPreviewCount"]))
        time.sleep(0.2)
    reader = results.JSONResultsReader(job.results(output_mode="json", count=0))
    rows = [dict(row) for row in reader if isinstance(row, dict)]
    told.append({"rows": rows, "failed": job["isFailed"], "previews": previews})
json.dump(told, sys.stdout)
