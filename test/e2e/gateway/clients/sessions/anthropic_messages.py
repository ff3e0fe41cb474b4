"""Anthropic's SDK."""

import json

from anthropic import Anthropic
from session import report

LOOK = {
    "name": "look",
    "description": "Looks at a step",
    "input_schema": {"type": "object", "properties": {"step": {"type": "integer"}}, "required": ["step"]},
}
SCHEMA = {
    "type": "object",
    "properties": {"count": {"type": "number"}},
    "required": ["count"],
    "additionalProperties": False,
}


def says(content):
    return [{"role": "user", "content": content}]


def parts_of(model, config):
    client = Anthropic(base_url=config["url"], auth_token=config["key"], max_retries=0)
    prompts = config["prompts"]

    def ask(prompt, **more):
        return client.messages.create(model=model, max_tokens=1000, messages=says(prompt), **more)

    def content_of(step):
        if step != config["pictureStep"]:
            return f"step {step}"
        source = {"type": "base64", "media_type": "image/png", "data": config["picture"]}
        return [{"type": "text", "text": f"step {step}"}, {"type": "image", "source": source}]

    def streamed(body):
        with client.messages.stream(**body) as stream:
            return stream.get_final_message()

    def steps():
        messages = says(prompts["steps"])
        for turn in range(30):
            thinking = {"type": "enabled", "budget_tokens": 1024}
            body = {"model": model, "max_tokens": 4000, "thinking": thinking, "messages": messages, "tools": [LOOK]}
            message = streamed(body) if turn % 2 == 0 else client.messages.create(**body)
            calls = [block for block in message.content if block.type == "tool_use"]
            if not calls:
                return "".join(block.text for block in message.content if block.type == "text")
            results = [
                {"type": "tool_result", "tool_use_id": call.id, "content": content_of(call.input["step"])}
                for call in calls
            ]
            messages += [{"role": "assistant", "content": message.content}, {"role": "user", "content": results}]

    def answered_object():
        message = ask(prompts["object"], output_config={"format": {"type": "json_schema", "schema": SCHEMA}})
        return json.loads(message.content[-1].text)["count"]

    return {
        "steps": steps,
        "object": answered_object,
        "refusal": lambda: ask(prompts["refusal"]).stop_reason == "refusal",
        "cut": lambda: ask(prompts["cut"]).stop_reason == "max_tokens",
        "overload": lambda: ask(prompts["overload"]),
        "models": lambda: model in [listed.id for listed in client.models.list()],
        "count": lambda: (
            client.messages.count_tokens(model=model, messages=says(prompts["steps"])).input_tokens > 0
        ),
    }


report(parts_of)
