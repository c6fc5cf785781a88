"""A model of a few thousand random weights that nevertheless behaves: it writes ASCII, ends its strings and stops.

Its vocabulary is single characters, so that any text can be read and any grammar followed. What makes it behave is one
dimension of its state that no layer touches and that is the same for every token: the weights which read that dimension
are the frequencies of the characters.
"""
import string

import gguf
import numpy

WIDTH, INNER, HEADS, LAYERS, CONTEXT = 32, 64, 2, 1, 8192
NEVER = -6.0
SPECIAL = ["<unk>", "<s>", "</s>", "<|im_start|>", "<|im_end|>"]
END = SPECIAL.index("<|im_end|>")
PRINTABLE = [chr(code) for code in range(32, 127)] + ["\n"]
# Tools are offered, called and answered as Qwen's models do it, which the server recognizes.
TEMPLATE = r"""
{%- if tools %}
    {{- '<|im_start|>system\n' }}
    {%- if messages[0].role == 'system' %}
        {{- messages[0].content + '\n\n' }}
    {%- endif %}
    {{- 'You may call these tools:\n<tools>' }}
    {%- for tool in tools %}
        {{- '\n' + (tool | tojson) }}
    {%- endfor %}
    {{- '\n</tools>\nWrite a call as <tool_call>\n{"name": <name>, "arguments": <object>}\n</tool_call><|im_end|>\n' }}
{%- elif messages[0].role == 'system' %}
    {{- '<|im_start|>system\n' + messages[0].content + '<|im_end|>\n' }}
{%- endif %}
{%- for message in messages %}
    {%- if message.role == 'user' %}
        {{- '<|im_start|>user\n' + message.content + '<|im_end|>\n' }}
    {%- elif message.role == 'assistant' %}
        {{- '<|im_start|>assistant' }}
        {%- if message.reasoning_content %}
            {{- '\n<think>\n' + message.reasoning_content + '\n</think>\n' }}
        {%- endif %}
        {%- if message.content %}
            {{- '\n' + message.content }}
        {%- endif %}
        {%- for call in message.tool_calls or [] %}
            {{- '\n<tool_call>\n{"name": "' + call.function.name + '", "arguments": ' }}
            {{- call.function.arguments | tojson }}
            {{- '}\n</tool_call>' }}
        {%- endfor %}
        {{- '<|im_end|>\n' }}
    {%- elif message.role == 'tool' %}
        {{- '<|im_start|>user\n<tool_response>\n' + message.content + '\n</tool_response><|im_end|>\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\n' }}
{%- endif %}
"""


def vocabulary():
    """Each token with its type and how readily it is written."""
    kinds = gguf.TokenType
    for index, text in enumerate(SPECIAL):
        yield text, kinds.UNKNOWN if index == 0 else kinds.CONTROL, 0.3 if index == END else NEVER
    for byte in range(256):
        yield f"<0x{byte:02X}>", kinds.BYTE, NEVER
    for char in PRINTABLE:
        yield "\u2581" if char == " " else char, kinds.NORMAL, readiness(char)
    # One token, since by single characters no call would ever begin.
    yield "<tool_call>\n", kinds.USER_DEFINED, 0.9


def readiness(char):
    if char in '"}]':
        return 0.5
    if char in string.ascii_letters + string.digits + ",:{[.":
        return 0.0
    return -0.5 if char in " -_" else -1.5


def write(path):
    random = numpy.random.default_rng(5)
    tokens = list(vocabulary())
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("tiny")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(INNER)
    writer.add_block_count(LAYERS)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(tokens))
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    writer.add_tokenizer_model("llama")
    writer.add_token_list([text.encode() for text, _, _ in tokens])
    writer.add_token_types([kind for _, kind, _ in tokens])
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(END)
    writer.add_add_bos_token(True)
    writer.add_add_space_prefix(False)
    writer.add_chat_template(TEMPLATE)

    def add(name, *shape, scale=0.3, untouched=False):
        weights = (random.standard_normal(shape) * scale).astype(numpy.float32)
        if untouched:
            weights[0] = 0  # writes nothing into the dimension of the frequencies
        return name, weights

    _, embedding = add("", len(tokens), WIDTH)
    embedding[:, 0] = 8
    _, output = add("", len(tokens), WIDTH, scale=0.15)
    output[:, 0] = [ready for _, _, ready in tokens]
    ones = numpy.ones(WIDTH, numpy.float32)
    tensors = [("token_embd.weight", embedding), ("output_norm.weight", ones), ("output.weight", output)]
    for layer in range(LAYERS):
        block = f"blk.{layer}."
        tensors += [(block + "attn_norm.weight", ones), (block + "ffn_norm.weight", ones)]
        tensors += [add(f"{block}attn_{part}.weight", WIDTH, WIDTH) for part in "qkv"]
        tensors += [
            add(block + "attn_output.weight", WIDTH, WIDTH, untouched=True),
            add(block + "ffn_gate.weight", INNER, WIDTH),
            add(block + "ffn_up.weight", INNER, WIDTH),
            add(block + "ffn_down.weight", WIDTH, INNER, untouched=True),
        ]
    for name, weights in tensors:
        writer.add_tensor(name, weights)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
