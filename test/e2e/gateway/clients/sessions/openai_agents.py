"""OpenAI's Agents SDK."""

import asyncio

from agents import (
    Agent,
    ModelSettings,
    OpenAIResponsesModel,
    Runner,
    ToolOutputImage,
    ToolOutputText,
    function_tool,
    set_tracing_disabled,
)
from agents.exceptions import ModelBehaviorError, ModelRefusalError
from openai import AsyncOpenAI
from pydantic import BaseModel
from session import report

# Traces hold the prompts, and would go to OpenAI with the platform's token.
set_tracing_disabled(True)


class Count(BaseModel):
    count: float


def parts_of(name, config):
    prompts = config["prompts"]
    connection = {"base_url": f"{config['url']}/v1", "api_key": config["key"]}

    @function_tool
    def look(step: int):
        """Looks at a step."""
        if step != config["pictureStep"]:
            return f"step {step}"
        url = f"data:image/png;base64,{config['picture']}"
        return [ToolOutputText(text=f"step {step}"), ToolOutputImage(image_url=url)]

    async def ran(prompt, is_streamed=False, **settings):
        # Its connections belong to the event loop, of which each part has one.
        async with AsyncOpenAI(**connection, max_retries=0) as client:
            model = OpenAIResponsesModel(model=name, openai_client=client)
            more = ModelSettings(response_include=["reasoning.encrypted_content"])
            agent = Agent(name="worker", model=model, model_settings=more, **settings)
            if not is_streamed:
                return (await Runner.run(agent, prompt)).final_output
            result = Runner.run_streamed(agent, prompt, max_turns=30)
            async for _ in result.stream_events():
                pass
            return result.final_output

    def asked(prompt, **settings):
        return asyncio.run(ran(prompt, **settings))

    def ends(prompt, *errors):
        """Whether it ends in one of these errors, by which the SDK reports answers that are not whole."""
        try:
            asked(prompt)
        except errors:
            return True
        return False

    return {
        "steps": lambda: asked(prompts["steps"], is_streamed=True, instructions="Be brief.", tools=[look]),
        "object": lambda: asked(prompts["object"], output_type=Count).count,
        "refusal": lambda: ends(prompts["refusal"], ModelRefusalError, ModelBehaviorError),
        "cut": lambda: ends(prompts["cut"], ModelBehaviorError),
        "overload": lambda: asked(prompts["overload"]),
    }


report(parts_of)
