"""Lists and calls tools through the gateway with the official SDK: <url> <session> <mode>. Prints one JSON line."""

import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

CALLS = [("everything__echo", {"message": "hi"}), ("fast__add", {"a": 1, "b": 2}), ("sse__echo", {"message": "hi"}), ("modern__echo", {})]


async def main(url: str, session: str, mode: str) -> None:
    http = httpx2.AsyncClient(headers={"Authorization": f"Splunk {session}"}, timeout=60)
    async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
        names, cursor = [], None
        while True:
            page = await client.list_tools(cursor=cursor)
            names += [tool.name for tool in page.tools]
            cursor = page.next_cursor
            if cursor is None:
                break
        texts = []
        for name, arguments in CALLS:
            result = await client.call_tool(name, arguments)
            texts.append([result.is_error, result.content[0].text])
        wrong = await client.call_tool("fast__add", {"a": "x", "b": 2})
        texts.append([wrong.is_error, wrong.content[0].text])
        try:
            await client.call_tool("none__none", {})
            unknown = None
        except Exception as error:
            unknown = str(error)
    print(json.dumps({"names": names, "texts": texts, "unknown": unknown}))


asyncio.run(main(*sys.argv[1:4]))
