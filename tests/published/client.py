"""Lists the tools of a published server, calls some of them, and prints what it was told.

client.py CALLS COMMAND…, where CALLS is a JSON list of names and arguments.
"""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main() -> None:
    calls, command, *arguments = sys.argv[1:]
    server = StdioServerParameters(command=command, args=arguments)
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write) as session:
            await session.initialize()
            tools = await session.list_tools()
            print(json.dumps(sorted(tool.name for tool in tools.tools)))
            for name, given in json.loads(calls):
                try:
                    told = await session.call_tool(name, given)
                    print(name, "answered", len(told.content))
                except Exception as error:
                    print(name, "refused", type(error).__name__)


asyncio.run(main())
