"""Talks to the server at the URL of the first argument, in the mode of the second, and prints what it says."""

import asyncio
import sys

from mcp import Client


async def main() -> None:
    async with Client(sys.argv[1], mode=sys.argv[2]) as client:
        print((await client.list_tools()).model_dump_json())
        print((await client.call_tool("steps", {"number": 3})).model_dump_json())
        print((await client.call_tool("absent", {})).model_dump_json())
        calls = (client.call_tool("steps", {"number": number}) for number in range(5))
        for result in await asyncio.gather(*calls):
            print(result.model_dump_json())


asyncio.run(main())
