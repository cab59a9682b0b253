"""A server that speaks Streamable HTTP, at the port of the first argument."""

import asyncio
import sys

from mcp.server.mcpserver import Context, MCPServer

server = MCPServer("steps")


@server.tool()
async def steps(number: int, ctx: Context) -> str:
    """Takes steps and says so."""
    for step in range(number):
        await ctx.report_progress(step, number, f"step {step}")
        await asyncio.sleep(0.02)
    return "é" * number


server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
