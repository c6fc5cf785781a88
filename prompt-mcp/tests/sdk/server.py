"""An MCP server with tools, written with the official SDK."""
import os

from mcp.server.mcpserver import Image, MCPServer

server = MCPServer("tools")


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@server.tool()
def describe(city: str, units: list[str] | None = None) -> dict[str, str]:
    """Describes a city."""
    return {"city": city, "units": ", ".join(units or [])}


@server.tool()
def words(text: str) -> list[str]:
    return text.split()


@server.tool()
def fail() -> str:
    raise ValueError("there is no such lake")


@server.tool()
def picture() -> Image:
    return Image(data=b"png", format="png")


@server.tool()
def die() -> str:
    os._exit(3)


server.run()
