"""LangChain's integrations with OpenAI's Responses API and with Anthropic's Messages."""

import sys

from langchain_anthropic import ChatAnthropic
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from pydantic import BaseModel
from session import report


class Count(BaseModel):
    """How many there are."""

    count: float


@tool
def look(step: int) -> str:
    """Looks at a step."""
    return f"step {step}"


def openai(model, config):
    return ChatOpenAI(
        model=model, base_url=f"{config['url']}/v1", api_key=config["key"], use_responses_api=True, store=False,
        max_retries=0,
    )


def anthropic(model, config):
    return ChatAnthropic(model=model, base_url=config["url"], api_key=config["key"], max_tokens=1000, max_retries=0)


def parts_of(name, config):
    model = {"openai": openai, "anthropic": anthropic}[sys.argv[2]](name, config)
    prompts = config["prompts"]

    def content_of(step):
        if step != config["pictureStep"]:
            return f"step {step}"
        image = {"type": "image", "base64": config["picture"], "mime_type": "image/png"}
        return [{"type": "text", "text": f"step {step}"}, image]

    def steps():
        bound = model.bind_tools([look])
        messages = [HumanMessage(prompts["steps"])]
        for turn in range(30):
            if turn % 2 == 0:
                first, *more = bound.stream(messages)
                answer = sum(more, start=first)
            else:
                answer = bound.invoke(messages)
            messages.append(answer)
            if not answer.tool_calls:
                return answer.text
            for call in answer.tool_calls:
                messages.append(ToolMessage(content_of(call["args"]["step"]), tool_call_id=call["id"]))

    def refusal():
        answer = model.invoke(prompts["refusal"])
        said = answer.response_metadata
        reason = said.get("stop_reason") or (said.get("incomplete_details") or {}).get("reason")
        kinds = [block["type"] for block in answer.content if isinstance(block, dict)]
        return "refusal" in kinds or reason in ("refusal", "content_filter")

    def cut():
        said = model.invoke(prompts["cut"]).response_metadata
        return (said.get("stop_reason") or said["incomplete_details"]["reason"]) in ("max_tokens", "max_output_tokens")

    return {
        "steps": steps,
        "object": lambda: model.with_structured_output(Count, method="json_schema").invoke(prompts["object"]).count,
        "refusal": refusal,
        "cut": cut,
        "overload": lambda: model.invoke(prompts["overload"]).text,
    }


report(parts_of)
