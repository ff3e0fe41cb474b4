"""Makes the calls that stand on stdin, a line each, with OpenAI's SDK, and prints each outcome."""

import json
import sys

import openai

base_url, keys = sys.argv[1], json.loads(sys.argv[2])
clients = {user: openai.OpenAI(base_url=base_url, api_key=key) for user, key in keys.items()}


def outcome(call):
    method = clients[call.get("as", "anna")]
    for name in call.get("method", "chat.completions.create").split("."):
        method = getattr(method, name)
    positional = [call["id"]] if "id" in call else []
    try:
        result = method(*positional, **call.get("args", {}))
        if call.get("args", {}).get("stream") or call.get("method") == "models.list":
            return {"result": [one.model_dump() for one in result]}
        return {"result": result.model_dump()}
    except openai.APIStatusError as error:
        facts = {name: getattr(error, name) for name in ("code", "type", "param", "message")}
        return {"error": {"class": type(error).__name__, "status": error.status_code, **facts}}


for line in sys.stdin:
    print(json.dumps(outcome(json.loads(line))), flush=True)
