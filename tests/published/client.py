"""Talks to the published time server, whose command stands on the command line, and prints what it was told."""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main() -> None:
    server = StdioServerParameters(command=sys.argv[1], args=sys.argv[2:])
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write) as session:
            await session.initialize()
            tools = await session.list_tools()
            print(json.dumps(sorted(tool.name for tool in tools.tools)))
            told = await session.call_tool(
                "convert_time",
                {"source_timezone": "UTC", "time": "12:00", "target_timezone": "UTC"},
            )
            print(len(told.content))
            try:
                await session.call_tool("no_such_tool", {})
                print("answered")
            except Exception as error:  # an error of the protocol, or a result that says so
                print("refused", type(error).__name__)


asyncio.run(main())
