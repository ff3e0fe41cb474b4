"""What schemathesis asks of a reply beside its own checks: a request that the document allows is not refused for its form."""

import json
import pathlib
import re

import jsonschema_rs
import schemathesis
from schemathesis.specs.openapi.checks import negative_data_rejection

# What no schema can say: references, certificates, addresses, fields that need one another. The document says so in words.
BEYOND_A_SCHEMA = re.compile(
    r"is not a role of this platform"
    r"|there is no "
    r"|is required"
    r"|differs from the version in "
    r"|^The URL is incomplete"
    r"|is only for connections of the type "
    r"|is not for stores of type "
    r"|must not be more than "
    r"|is named twice|has the same name twice|is the destination of another item too"
    r"|is not in the schema of openapi_spec"
    # Of the right form, and no date there is: the 30th of February.
    r"|must be epoch seconds or an ISO 8601 date|must be an ISO 8601 time"
    r"|must be a time: a modifier such as"
    # The text of a search, its arguments and their values.
    r"|^(Argument|Command|Lookup|Macro|Option|The (search|term|function)|A (backtick|bar|bracket|command|comment|dollar sign|quote)) "
    r"|is no argument of this tool"
    r"|has an invalid (minute|hour|day|month)|must have five fields"
    r"|must be a host name"
    r"|differs from the one in the path"
    # Documents: ids, sizes of metadata, and what exists of ids and all.
    r"|is the id of documents\.\d+ as well|must have at most 16384 bytes as JSON"
    r"|must be a text, a number, true, false, or a list of these|or all: true in its place"
    r"|must be 'None' or names of secrets|is not a key of the image catalog"
    r"|has an empty name|has an entry without a name"
    r"|^(The|This) (address|URL|path|does not name)|contains characters that are not allowed in an HTTP header"
    r"|must be an OpenAPI 3 document|is only for kubernetes"
    r"|cannot be changed|the first input of the model"
    r"|must be one or more PEM certificates|must be a private key|must not contain control characters"
    r"|is not a header name|is given twice"
    r"|must be certificates|must be a JSON object whose values are strings|is not valid base64"
    # White space around a text does not count, and may be all there is.
    r"|must not be empty|is not an ONNX model"
    r"|is not allowed for this image|is not a usable model"
    r"|is (PLATFORM|ISSUE_TRACKER) for this connection"
    r"|only text/csv does without names"
    r"|names the same record as |is nested deeper than "
    # Parts of OpenAI's bodies that the document describes in words: they have many forms.
    r"|must be \{type: text\}|must be auto, none, required|must be a text, a list of texts|must be a text or a list"
    r"|must be an http\(s\)|must be an object with a type|must be text, image_url or file|must be a base64 data: URL"
    r"|must be \{id, type: function|must be the id of a call|^must be a text$|is not a JSON schema that can be compiled"
    r"|must be the schema of an object"
    r"|is used twice"
    # Runtimes of agents have different fields; decisions about a call exclude one another.
    r"|is not for (CLOUD_AGENT_CORE|BUILT_IN|CONTAINER)|runs saved agents only|cannot be combined with "
    # Parameters of an alert action, which are texts.
    r"|must be alert or row|must be wait or reject|must be a number from 1 to |must be a span such as |must have only letters, digits, _"
    # Kinds, labels, patterns, countries and networks of masking policies.
    r"|is neither a kind of values nor the label of a pattern|^is reserved$|is no code of a country|is no network"
    r"|must not match (empty text|a placeholder)|^error parsing regexp|is required, or name, but not both"
    # Keys and times of a report; numbers of a limit.
    r"|must be one or two of|needs earliest within|must not be later than latest|[Oo]ne of requests, tokens"
    # Filters of passages, which may hold filters; what cannot be estimated.
    r"|has an unknown operator; use one of|must have exactly one operator|must be \{key, value\}|must have key and value only"
    r"|must be a list of 2 to 100 filters|filters may be nested|nothing is estimated"
)

# Their items, blocks and tools have so many forms that the document describes them in words.
IN_WORDS = re.compile(r"^/ai_gateway/v1/(responses|messages)")
PROBLEM = re.compile(r"^(must|is) ")

OURS = {"validation_failed", "malformed_json"}


@schemathesis.check
def form_is_accepted(ctx, response, case):
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 400:
        return
    body = response.json()
    if body.get("error_code") not in OURS:
        return
    messages = [problem["message"] for problem in body.get("errors", [])] or [body["message"]]
    in_words = PROBLEM if IN_WORDS.search(case.operation.path) else BEYOND_A_SCHEMA
    refused = [message for message in messages if not (BEYOND_A_SCHEMA.search(message) or in_words.search(message))]
    if refused:
        raise AssertionError(f"allowed by the document, refused: {refused}")


# Fields of containers are texts; numbers, booleans and null are taken for what they read as (contract 3.1).
TOLERANT = re.compile(r"/ml/(test_container_connection|container_connection|start_container|container_logs)$")
MESSAGES = re.compile(r"^/ai_gateway/mcp(/|$)")


DOCUMENT = json.loads((pathlib.Path(__file__).parents[3] / "docs/openapi.json").read_text())


def body_is_allowed(case):
    """A second opinion: what schemathesis calls a missing property may be one that nobody asks for."""
    operation = DOCUMENT["paths"].get(case.operation.path, {}).get(case.method.lower(), {})
    if "requestBody" not in operation:
        return False
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    whole = {**schema, "components": DOCUMENT["components"]}
    return jsonschema_rs.validator_for(whole).is_valid(case.body)


@schemathesis.check
def forbidden_is_refused(ctx, response, case):
    if case.method == "POST" and TOLERANT.search(case.operation.path):
        return None
    try:
        return negative_data_rejection(ctx, response, case)
    except AssertionError as failure:
        if "required property" in str(failure) and body_is_allowed(case):
            return None
        # JSON-RPC refuses with an error in a reply of status 200.
        if MESSAGES.search(case.operation.path) and "error" in response.json():
            return None
        raise


@schemathesis.check
def nothing_unforeseen(ctx, response, case):
    """A server elsewhere may fail; we may not."""
    if response.status_code >= 500 and response.json().get("error_code") == "internal_error":
        raise AssertionError("an internal error")
