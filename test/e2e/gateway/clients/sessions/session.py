"""What the clients in Python have in common."""

import json
import sys


def report(parts_of):
    """Runs a client in each dialect, and prints what came of it as JSON.

    parts_of: the parts of a client's session by name; each gives what came, or raises.
    """
    config = json.loads(sys.argv[1])
    outcomes = {}
    for dialect, model in config["models"].items():
        outcomes[dialect] = {name: outcome_of(part) for name, part in parts_of(model, config).items()}
    print(json.dumps(outcomes))


def outcome_of(part):
    try:
        return part()
    except Exception as error:
        status = getattr(error, "status_code", None)
        return {"failure": type(error).__name__, "status": status, "message": str(error)[:500]}
