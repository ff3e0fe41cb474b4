"""Reads requests by provider from stdin, and prints what the types of the provider's own SDK do not allow."""

import json
import sys
from collections.abc import Iterable

import botocore.session
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from botocore.validate import ParamValidator
from google.genai import types as genai
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError


def exhaust(value):
    """Iterables of a type are validated when they are read. Blocks of an answer, which a request may repeat, allow any field."""
    if isinstance(value, BaseModel):
        if value.model_extra:
            raise ValueError(f"unknown fields {value.model_extra}")
        value = dict(value)
    if isinstance(value, dict):
        value = value.values()
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        for item in value:
            exhaust(item)


MessageCreateParamsNonStreaming.__pydantic_config__ = ConfigDict(extra="forbid")
ANTHROPIC = TypeAdapter(MessageCreateParamsNonStreaming)
CONVERSE = botocore.session.get_session().get_service_model("bedrock-runtime").operation_model("Converse").input_shape
GENERATE = {
    "contents": list[genai.Content],
    "systemInstruction": genai.Content,
    "tools": list[genai.Tool],
    "toolConfig": genai.ToolConfig,
    "generationConfig": genai.GenerationConfig,
}


def anthropic(body):
    exhaust(ANTHROPIC.validate_python(body))


def bedrock(body):
    report = ParamValidator().validate({"modelId": "m", **body}, CONVERSE)
    if report.has_errors():
        raise ValueError(report.generate_report())


def gemini(body):
    for field, value in body.items():
        TypeAdapter(GENERATE[field]).validate_python(value)


for provider, bodies in json.load(sys.stdin).items():
    for body in bodies:
        try:
            globals()[provider](body)
        except (ValidationError, ValueError, KeyError, TypeError) as error:
            print(provider, repr(error), json.dumps(body)[:2000])
    print(provider, len(bodies), "checked")
