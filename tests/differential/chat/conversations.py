"""Conversations in the shapes that chat APIs send, with their tools."""

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "find_place",
            "description": "Finds a place.\nIt takes a name.",
            "parameters": {
                "type": "object",
                "properties": {
                    "place": {"type": "string", "description": "Its name, e.g. \"Ulm\""},
                    "limit": {"type": "integer", "default": 3, "minimum": 1},
                    "kinds": {"type": "array", "items": {"type": "string", "enum": ["town", "river"]}},
                    "near": {"type": ["number", "null"], "description": "Kilometres"},
                },
                "required": ["place"],
            },
        },
    },
    {"type": "function", "function": {"name": "now", "description": "The time.", "parameters": {"type": "object", "properties": {}}}},
]

NESTED_TOOL = {
    "type": "function",
    "function": {
        "name": "book",
        "description": "Books a trip — später & <b>bold</b>.",
        "strict": True,
        "parameters": {
            "type": "object",
            "properties": {
                "trip": {
                    "type": "object",
                    "properties": {"from": {"type": "string"}, "to": {"type": "string", "nullable": True}},
                    "required": ["from"],
                },
                "seats": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            },
            "required": ["trip"],
            "additionalProperties": False,
        },
        "return": {"type": "string", "description": "A number"},
    },
}


def system(text):
    return {"role": "system", "content": text}


def user(text):
    return {"role": "user", "content": text}


def assistant(text, **more):
    return {"role": "assistant", "content": text, **more}


def call(name, arguments, **more):
    return {"type": "function", "function": {"name": name, "arguments": arguments}, **more}


def result(text, **more):
    return {"role": "tool", "content": text, **more}


def text_part(text):
    return {"type": "text", "text": text}


PLACE = {"place": "Ulm"}
MIXED = {"place": "Köln\n\"Dom\"", "limit": 2, "near": 1.5, "kinds": ["town", "river"], "open": True, "note": None}

# Name: messages, tools.
CONVERSATIONS = {
    "user": ([user("Hi")], None),
    "padded": ([user("  Hi there \n\n")], None),
    "unicode": ([user("Grüße 日本 😀 e\u0301 \u00a0 <b>&amp;</b> 'q' \"d\" {{ x }} {% y %}")], None),
    "empty_text": ([user("")], None),
    "system": ([system("Be brief."), user("Hi")], None),
    "system_only": ([system("Be brief.")], None),
    "developer": ([{"role": "developer", "content": "Be brief."}, user("Hi")], None),
    "system_late": ([user("Hi"), assistant("Hello"), system("Be brief."), user("Go on")], None),
    "turns": ([system("Be brief."), user("1+1?"), assistant("2"), user("2+2?"), assistant("4"), user("3+3?")], None),
    "ends_with_assistant": ([user("Name a town."), assistant("The town is ")], None),
    "starts_with_assistant": ([assistant("Welcome"), user("Hi")], None),
    "two_users": ([user("Hi"), user("Still there?")], None),
    "two_assistants": ([user("Hi"), assistant("One"), assistant("Two"), user("Go on")], None),
    "unknown_role": ([{"role": "narrator", "content": "A gull cries."}, user("Hi")], None),
    "null_content": ([user("Hi"), assistant(None), user("Again")], None),
    "no_content": ([user("Hi"), {"role": "assistant"}, user("Again")], None),
    "null_keys": ([{"role": "user", "content": "Hi", "name": None}, assistant("Yes", tool_calls=None, refusal=None, audio=None, reasoning_content=None)], None),
    "empty_answers": ([user("Hi"), assistant(""), user("Again"), assistant("Yes"), user("So?"), assistant("")], None),
    "empty_question": ([user(""), assistant("Yes"), user(""), assistant("")], None),
    "answers": ([user("Hi"), assistant("Hello"), user("1+1?"), assistant("<2>\n"), user("And?"), assistant(" 2 ")], None),
    "named": ([{"role": "user", "content": "Hi", "name": "Ann"}, {"role": "assistant", "content": "Yes", "name": "Bob"}], None),
    "tools": ([user("Where is Ulm?")], TOOLS),
    "tools_system": ([system("Be brief."), user("Where is Ulm?")], TOOLS),
    "tools_nested": ([user("Book it.")], [NESTED_TOOL]),
    "tools_empty": ([user("Hi")], []),
    "tools_late": ([user("Hi"), assistant("Hello"), user("Where is Ulm?")], TOOLS),
    "call_null": ([user("Where is Ulm?"), assistant(None, tool_calls=[call("find_place", PLACE, id="call_1")])], TOOLS),
    "call_absent": ([user("Where is Ulm?"), {"role": "assistant", "tool_calls": [call("find_place", PLACE)]}], TOOLS),
    "call_empty": ([user("Where is Ulm?"), assistant("", tool_calls=[call("find_place", MIXED, id="a1b2c3d4e")])], TOOLS),
    "call_text": ([user("Where is Ulm?"), assistant("I look.", tool_calls=[call("find_place", PLACE, id="call_1")])], TOOLS),
    "call_string": ([user("Where is Ulm?"), assistant(None, tool_calls=[call("find_place", '{"place": "Ulm"}', id="call_1")])], TOOLS),
    "call_no_arguments": ([user("What time?"), assistant(None, tool_calls=[call("now", {}, id="call_1")]), result("12:00", tool_call_id="call_1")], TOOLS),
    "call_result": ([user("Where is Ulm?"), assistant(None, tool_calls=[call("find_place", PLACE, id="call_1")]), result("On the Danube.", tool_call_id="call_1")], TOOLS),
    "call_result_named": ([user("Where is Ulm?"), assistant(None, tool_calls=[call("find_place", PLACE, id="call_1")]), result('{"river": "Danube"}', tool_call_id="call_1", name="find_place"), assistant("On the Danube.")], TOOLS),
    "call_result_object": ([user("Where is Ulm?"), assistant(None, tool_calls=[call("find_place", PLACE, id="call_1")]), result({"river": "Danube", "km": [1, 2.5, None]}, tool_call_id="call_1", name="find_place")], TOOLS),
    "call_result_parts": ([user("Where is Ulm?"), assistant(None, tool_calls=[call("find_place", PLACE, id="call_1")]), result([text_part("On the "), text_part("Danube.")], tool_call_id="call_1", name="find_place")], TOOLS),
    "calls": ([user("Where, and when?"), assistant(None, tool_calls=[call("find_place", PLACE, id="call_1"), call("now", {}, id="call_2")]), result("On the Danube.", tool_call_id="call_1", name="find_place"), result("12:00", tool_call_id="call_2", name="now"), assistant("At noon."), user("Thanks")], TOOLS),
    "calls_in_turn": ([system("Be brief."), user("Where, and when?"), assistant(None, tool_calls=[call("find_place", MIXED, id="call_1")]), result("On the Danube.", tool_call_id="call_1"), assistant("Now the time.", tool_calls=[call("now", {}, id="call_2")]), result("12:00", tool_call_id="call_2"), assistant("At noon.")], TOOLS),
    "calls_without_tools": ([user("Where?"), assistant(None, tool_calls=[call("find_place", PLACE, id="call_1")]), result("Here.", tool_call_id="call_1"), user("Thanks")], None),
    "call_text_no_arguments": ([user("What time?"), assistant("I look.", tool_calls=[call("now", {}, id="call_1")]), result("12:00", tool_call_id="call_1"), assistant("At noon.")], TOOLS),
    "calls_no_arguments": ([user("What time?"), assistant("", tool_calls=[call("now", {}, id="call_1"), call("now", {}, id="call_2")]), result("12:00", tool_call_id="call_1"), result("12:01", tool_call_id="call_2"), assistant("At noon.")], TOOLS),
    "call_unnamed": ([user("What time?"), assistant("", tool_calls=[call("now", {})]), result("12:00"), assistant("At noon.")], TOOLS),
    "calls_empty": ([user("Hi"), assistant("Hello", tool_calls=[]), user("Go on")], None),
    "result_alone": ([user("Hi"), result("Here.", tool_call_id="call_1")], None),
    "reasoning": ([user("2+2?"), assistant("4", reasoning_content="It is four."), user("3+3?"), assistant("6", reasoning_content="It is six.")], None),
    "reasoning_thinking": ([user("2+2?"), assistant("4", thinking="It is four.")], None),
    "reasoning_name": ([user("2+2?"), assistant("4", reasoning="It is four.")], None),
    "reasoning_several": ([user("2+2?"), assistant("4", reasoning="Third.", thinking="Second.", reasoning_content=None)], None),
    "reasoning_empty": ([user("2+2?"), assistant("4", reasoning_content="")], None),
    "reasoning_call": ([user("Where is Ulm?"), assistant(None, reasoning_content="I look.", tool_calls=[call("find_place", PLACE, id="call_1")]), result("On the Danube.", tool_call_id="call_1", name="find_place"), assistant("On the Danube.", reasoning_content="Found.")], TOOLS),
    "reasoning_calls": ([user("Where is Ulm?"), assistant("Well.", reasoning_content="I look.", tool_calls=[call("find_place", PLACE, id="call_1"), call("now", {}, id="call_2")]), result("On the Danube.", tool_call_id="call_1", name="find_place"), result("12:00", tool_call_id="call_2", name="now"), assistant("", reasoning_content="And then?", tool_calls=[call("now", {}, id="call_3")]), result("12:01", tool_call_id="call_3", name="now"), assistant("On the Danube.")], TOOLS),
    "reasoning_alone": ([user("Hi"), {"role": "assistant", "reasoning_content": "Hm."}], None),
    "reasoning_in_text": ([user("2+2?"), assistant("<think>\nIt is four.\n</think>\n\n4"), user("3+3?")], None),
    "parts": ([system("Be brief."), {"role": "user", "content": [text_part("Hi "), text_part("there")]}, {"role": "assistant", "content": [text_part("Hello")]}], None),
    "parts_system": ([{"role": "system", "content": [text_part("Be brief.")]}, {"role": "user", "content": [text_part("Hi")]}], None),
    "image": ([{"role": "user", "content": [{"type": "image"}, text_part("What is it?")]}], None),
    "image_url": ([{"role": "user", "content": [text_part("What is it?"), {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBO"}}]}], None),
    "images": ([{"role": "user", "content": [{"type": "image", "image": "a.png"}, {"type": "image", "image": "b.png"}, text_part("Compare.")]}, {"role": "assistant", "content": [text_part("Alike.")]}, {"role": "user", "content": [{"type": "image", "image": "c.png"}, text_part("And this?")]}], None),
    "audio_video": ([{"role": "user", "content": [{"type": "audio", "audio": "a.wav"}, {"type": "video", "video": "b.mp4"}, text_part("What is it?")]}], None),
    "numbers": ([user("Count."), assistant(None, tool_calls=[call("find_place", {"place": "1", "limit": 12345678901234567890, "near": 1e-7, "big": 1.5e22, "minus": -0.0}, id="call_1")])], TOOLS),
}

# The variables that a template may read, with values to try: each alone, beside none.
VARIABLES = {
    "enable_thinking": [True, False],
    "preserve_thinking": [True, False],
    "truncate_history_thinking": [False],
    "low_effort": [True],
    "medium_effort": [True],
    "reasoning_effort": ["high", "low"],
    "reasoning_strength": ["high"],
    "add_vision_id": [True],
    "tools_in_user_message": [False],
    "custom_tools": [[TOOLS[1]]],
    "builtin_tools": [["browser", "python"]],
    "date_string": ["1 May 2026"],
    "current_date": ["2026-05-01"],
    "knowledge_cutoff": ["2025-01"],
    "model_identity": ["You are Ann."],
    "documents": [[{"title": "Ulm", "text": "A town."}]],
}
