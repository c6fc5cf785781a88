"""Reads the prompts of the example `prompt_server` with the official SDK's client, in each of its modes."""
import asyncio
import sys

from mcp import Client, MCPError, StdioServerParameters


async def refused(client, name, arguments, start):
    try:
        result = await client.get_prompt(name, arguments)
    except MCPError as error:
        assert str(error).startswith(start), str(error)
    else:
        raise AssertionError(f"{name}({arguments}) returned {result}")


async def check(command, mode):
    async with Client(StdioServerParameters(command=command), mode=mode) as client:
        prompts = {prompt.name: prompt for prompt in (await client.list_prompts()).prompts}
        assert sorted(prompts) == ["explain", "translate"], prompts
        assert prompts["explain"].description == "Explains a word."
        arguments = [(a.name, a.required, a.description) for a in prompts["explain"].arguments]
        assert arguments == [
            ("word", True, "A word of any language."),
            ("sentences", False, "How long the answer is. (a whole number from 0 to 255 or null)"),
            ("avoid", False, "Words that the answer does not contain. (a list, each a string, as JSON)"),
        ], arguments

        result = await client.get_prompt("explain", {"word": 'Föhn "<x>"\n☃', "sentences": "3", "avoid": '["wind", "air"]'})
        assert [(m.role, m.content.type) for m in result.messages] == [("user", "text"), ("user", "text")]
        assert result.messages[0].content.text == "You explain words to children."
        assert result.messages[0].content.meta == {"typed-prompt/role": "system"}
        text = 'Explain Föhn "<x>"\n☃ in 3 sentences. Do not use the word wind. Do not use the word air. '
        assert result.messages[1].content.text == text, result.messages[1]

        result = await client.get_prompt("translate", {"language": "German", "text": "Hi"})
        assert [m.content.text for m in result.messages] == ["Translate into German.", "Hi"]

        await refused(client, "explain", {}, "the argument `word` of the prompt `explain` is missing; expected a string")
        await refused(client, "explain", {"word": "a", "sentences": "-1"}, "the argument `sentences` of the prompt `explain` is `-1`")
        await refused(client, "translate", {"language": "Latin", "text": "a"}, "the argument `language` of the prompt `translate` is `Latin`; expected `French` or `German`")
        await refused(client, "explan", {}, "there is no prompt `explan`; did you mean `explain`?")


for mode in ("legacy", "auto"):
    asyncio.run(check(sys.argv[1], mode))
    print(f"prompts in mode {mode}: ok")
