"""OpenAI's SDK with the Responses API."""

import json

from openai import OpenAI
from pydantic import BaseModel
from session import report

LOOK = {
    "type": "function",
    "name": "look",
    "description": "Looks at a step",
    "parameters": {
        "type": "object",
        "properties": {"step": {"type": "integer"}},
        "required": ["step"],
        "additionalProperties": False,
    },
    "strict": True,
}


class Count(BaseModel):
    count: float


def parts_of(model, config):
    client = OpenAI(base_url=f"{config['url']}/v1", api_key=config["key"], max_retries=0)
    prompts = config["prompts"]

    def ask(prompt):
        return client.responses.create(model=model, input=prompt)

    def output_of(step):
        if step != config["pictureStep"]:
            return f"step {step}"
        url = f"data:image/png;base64,{config['picture']}"
        return [
            {"type": "input_text", "text": f"step {step}"},
            {"type": "input_image", "image_url": url, "detail": "auto"},
        ]

    def streamed(body):
        with client.responses.stream(**body) as stream:
            return stream.get_final_response()

    def steps():
        messages = [{"role": "user", "content": prompts["steps"]}]
        for turn in range(30):
            body = {"model": model, "input": messages, "tools": [LOOK], "store": False}
            response = streamed(body) if turn % 2 == 0 else client.responses.create(**body)
            calls = [item for item in response.output if item.type == "function_call"]
            if not calls:
                return response.output_text
            messages += [item.model_dump(exclude={"parsed_arguments"}, exclude_none=True) for item in response.output]
            for call in calls:
                output = output_of(json.loads(call.arguments)["step"])
                messages.append({"type": "function_call_output", "call_id": call.call_id, "output": output})

    def refusal():
        response = ask(prompts["refusal"])
        kinds = [part.type for item in response.output for part in getattr(item, "content", None) or []]
        incomplete = response.incomplete_details
        return "refusal" in kinds or (incomplete is not None and incomplete.reason == "content_filter")

    def cut():
        response = ask(prompts["cut"])
        return response.status == "incomplete" and response.incomplete_details.reason == "max_output_tokens"

    return {
        "steps": steps,
        "object": lambda: (
            client.responses.parse(model=model, input=prompts["object"], text_format=Count).output_parsed.count
        ),
        "refusal": refusal,
        "cut": cut,
        "overload": lambda: ask(prompts["overload"]),
        "models": lambda: model in [listed.id for listed in client.models.list()],
    }


report(parts_of)
