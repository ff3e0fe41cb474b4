"""The tests that LangChain's integrations must pass, for a model behind the gateway."""

import os

from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from langchain_tests.integration_tests import ChatModelIntegrationTests, EmbeddingsIntegrationTests

GATEWAY = {"base_url": os.environ["GATEWAY_URL"], "api_key": os.environ["GATEWAY_KEY"], "model": os.environ["GATEWAY_MODEL"]}


class TestChat(ChatModelIntegrationTests):
    chat_model_class = ChatOpenAI
    # Without it, streams at an address that is not OpenAI's have no usage.
    chat_model_params = {**GATEWAY, "stream_usage": True}
    supports_json_mode = True


if os.environ.get("GATEWAY_EMBEDS"):

    class TestEmbeddings(EmbeddingsIntegrationTests):
        embeddings_class = OpenAIEmbeddings
        # The alternative counts tokens with a vocabulary from the internet.
        embedding_model_params = {**GATEWAY, "check_embedding_ctx_length": False}
