"""The tests that LangChain's integrations must pass, for models behind the gateway."""

import base64
import functools
import json
import os
from types import SimpleNamespace

import pytest
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from langchain_tests.integration_tests import ChatModelIntegrationTests, EmbeddingsIntegrationTests
from openai import BadRequestError

GATEWAY = {"base_url": os.environ["GATEWAY_URL"], "api_key": os.environ["GATEWAY_KEY"]}
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


@pytest.fixture(autouse=True)
def files(monkeypatch):
    """The tests fetch an image and a document from the internet."""
    files = {".png": base64.b64decode(PIXEL), ".pdf": b"%PDF-1.4\n%%EOF"}
    monkeypatch.setattr("httpx.get", lambda url, **_: SimpleNamespace(content=files[url[-4:]]))


def refused(test):
    """The gateway answers 400 where it would have to drop what was asked."""
    mark = pytest.mark.xfail(raises=BadRequestError, strict=True, reason="nothing is dropped in silence")
    return mark(functools.wraps(test)(lambda *args, **named: test(*args, **named)))


def chat_tests(model, lacks, refuses):
    class Chat(ChatModelIntegrationTests):
        chat_model_class = ChatOpenAI
        # Without it, streams at an address that is not OpenAI's have no usage.
        chat_model_params = {**GATEWAY, "model": model, "stream_usage": True}
        supports_json_mode = True
        supports_image_inputs = True
        supports_image_urls = True
        supports_pdf_inputs = True

    for feature in lacks:
        setattr(Chat, feature, False)
    for test in refuses:
        setattr(Chat, test, refused(getattr(ChatModelIntegrationTests, test)))
    return Chat


def embedding_tests(model):
    class Embeddings(EmbeddingsIntegrationTests):
        embeddings_class = OpenAIEmbeddings
        # The alternative counts tokens with a vocabulary from the internet.
        embedding_model_params = {**GATEWAY, "model": model, "check_embedding_ctx_length": False}

    return Embeddings


for name, one in json.loads(os.environ["GATEWAY_MODELS"]).items():
    globals()[f"Test{name.capitalize()}Chat"] = chat_tests(one["model"], one["lacks"], one["refuses"])
    if "embedder" in one:
        globals()[f"Test{name.capitalize()}Embeddings"] = embedding_tests(one["embedder"])
