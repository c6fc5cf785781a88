"""Validates request bodies, one JSON object per line, with the types of the providers' official SDKs."""
import collections
import json
import sys
import typing

import cohere.v2.client as cohere_client
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from cohere.v2.client import V2Client
from google.genai import types
from groq.types.chat.completion_create_params import CompletionCreateParams as GroqParams
from ollama._types import ChatRequest as OllamaRequest
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming
from pydantic import BaseModel, TypeAdapter

try:
    from mistralai.client.models import ChatCompletionRequest
except ImportError:
    from mistralai.models import ChatCompletionRequest


def exhaust(value):
    """Lists of typed dictionaries are validated when they are iterated."""
    if isinstance(value, dict):
        return {key: exhaust(item) for key, item in value.items()}
    if hasattr(value, "__iter__") and not isinstance(value, (str, bytes)):
        return [exhaust(item) for item in value]
    return value


def typed(params):
    adapter = TypeAdapter(params)
    return lambda body: exhaust(adapter.validate_python(body))


def gemini(body):
    parts = {
        "contents": lambda value: [types.Content.model_validate(content) for content in value],
        "systemInstruction": types.Content.model_validate,
        "toolConfig": types.ToolConfig.model_validate,
        "tools": lambda value: [types.Tool.model_validate(tool) for tool in value],
        "generationConfig": types.GenerationConfig.model_validate,
    }
    for name, value in body.items():
        parts[name](value)


def cohere(body):
    """The SDK's methods define the fields of a request. Its types accept unknown fields, which are compared here."""
    hints = typing.get_type_hints(V2Client.chat, vars(cohere_client))
    unknown = set(body) - set(hints) - {"stream"}
    assert not unknown, f"unknown fields: {unknown}"
    for name, value in body.items():
        if name != "stream":
            read = TypeAdapter(hints[name]).validate_python(value)
            assert known(read), f"{name} has an unknown field: {read}"


def known(value):
    if isinstance(value, BaseModel):
        return not value.model_extra and all(known(item) for _, item in value)
    return all(map(known, value)) if isinstance(value, (list, tuple)) else True


VALIDATORS = {
    "cohere": cohere,
    "openai": typed(CompletionCreateParamsNonStreaming),
    "openai_resp": typed(ResponseCreateParamsNonStreaming),
    "anthropic": typed(MessageCreateParamsNonStreaming),
    "gemini": gemini,
    "mistral": ChatCompletionRequest.model_validate,
    "groq": typed(GroqParams),
    "ollama": OllamaRequest.model_validate,
}

valid, invalid = collections.Counter(), 0
for line in open(sys.argv[1], encoding="utf-8"):
    request = json.loads(line)
    provider, body = request["provider"], request["body"]
    if provider not in VALIDATORS:
        continue
    try:
        VALIDATORS[provider](body)
        valid[provider] += 1
    except Exception as error:  # each SDK has its own
        invalid += 1
        print(f"{provider}: {error}\n  {json.dumps(body)[:500]}")
print(*(f"{provider}: {count} valid" for provider, count in valid.items()), f"{invalid} invalid", sep=", ")
sys.exit(bool(invalid) or set(valid) != set(VALIDATORS))
