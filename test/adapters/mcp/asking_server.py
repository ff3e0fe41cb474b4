"""A server made with FastMCP whose tools ask the client: <port>."""

import sys

from fastmcp import Context, FastMCP

server = FastMCP("asking")


@server.tool
async def roots(ctx: Context) -> str:
    return str(await ctx.list_roots())


@server.tool
async def sample(ctx: Context) -> str:
    return str(await ctx.sample("Say hello"))


@server.tool
def add(a: int, b: int) -> int:
    return a + b


server.run(transport="http", host="127.0.0.1", port=int(sys.argv[1]), show_banner=False)
