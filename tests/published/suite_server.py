"""A server with what the conformance suite asks for, at the port of the first argument; with a second argument it is a careless one."""

import asyncio
import base64
import sys

from mcp.server.mcpserver import Context, Image, MCPServer
from mcp.shared.exceptions import MCPError
from mcp.types import Completion

careless = len(sys.argv) > 2
pixel = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
server = MCPServer("quay", version="1.0")


@server.tool(description=None if careless else "Says something.")
def test_simple_text() -> str:
    return "something"


@server.tool(structured_output=False)
def test_image_content() -> Image:
    """Shows a pixel."""
    return Image(data=pixel, format="png")


@server.tool()
def test_error_handling() -> str:
    """Fails."""
    raise ValueError("it failed")


@server.tool()
async def test_tool_with_progress(ctx: Context) -> str:
    """Takes its time."""
    for step in [0, 100, 50] if careless else [0, 50, 100]:
        await ctx.report_progress(step, 100)
        await asyncio.sleep(0.02)
    return "done"


@server.tool()
def test_missing_capability() -> str:
    """Needs a client that samples."""
    raise MCPError(code=-32021, message="no sampling", data={"requiredCapabilities": {"sampling": {}}})


@server.tool()
async def test_trigger_tool_change(ctx: Context) -> str:
    """Says that there are other tools."""
    await ctx.notify_tools_changed()
    return "said"


@server.tool()
async def test_trigger_prompt_change(ctx: Context) -> str:
    """Says that there are other prompts."""
    await ctx.notify_prompts_changed()
    return "said"


@server.resource("test://static-text", mime_type="text/plain")
def static_text() -> str:
    """A text."""
    return "a text"


@server.resource("test://static-binary", mime_type="image/png")
def static_binary() -> bytes:
    """A pixel."""
    return pixel


@server.prompt()
def test_simple_prompt() -> str:
    """Asks something."""
    return "Well?"


@server.prompt()
def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
    """Asks for two things."""
    return f"{arg1} or {arg2}?"


@server.completion()
async def complete(ref, argument, context) -> Completion:
    return Completion(values=["one", "two"])


server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
