"""Trains two small tokenizers on this project's own documents, and writes what they make of some texts.

    python3 -m venv venv && venv/bin/pip install tokenizers==0.23.3 && venv/bin/python make.py

`byte_level.json` is built as Qwen's and Llama 3's tokenizers are, `sentencepiece.json` as Mistral's and Phi 3's. The ids in
`ids.json` are those of the Python package for the whole text, control tokens read wherever they stand.
"""
import json
from pathlib import Path

from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

here = Path(__file__).parent
root = here.parent.parent.parent
documents = [str(root / name) for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")]
added = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]

byte_level = Tokenizer(models.BPE())
byte_level.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
byte_level.decoder = decoders.ByteLevel()
byte_level.train(documents, trainers.BpeTrainer(
    vocab_size=700, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
byte_level.add_special_tokens(added)
# As Qwen 3 has them: added, and not special; and white space that is a token.
byte_level.add_tokens([AddedToken("<tool_call>", special=False, normalized=False), AddedToken("    ", normalized=False)])

sentencepiece = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True))
sentencepiece.normalizer = None
sentencepiece.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="first", split=False)
sentencepiece.decoder = decoders.Metaspace()
sentencepiece.train(documents, trainers.BpeTrainer(
    vocab_size=900, special_tokens=["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)], show_progress=False))
# The trainer makes special tokens of the bytes, which no model's tokenizer has.
trained = json.loads(sentencepiece.to_str())
trained["added_tokens"] = [token for token in trained["added_tokens"] if not token["content"].startswith("<0x")]
sentencepiece = Tokenizer.from_str(json.dumps(trained))
sentencepiece.add_special_tokens([AddedToken("<s>", normalized=False), AddedToken("</s>", normalized=False)])
sentencepiece.add_special_tokens([AddedToken(f"<|{role}|>", rstrip=True, normalized=False) for role in ("user", "assistant", "end")])

texts = [
    "<|im_start|>user\nWhat is entropy?<|im_end|>\n<|im_start|>assistant\n",
    "<|im_start|>system\nYou are a support agent of Acme Router.<|im_end|>\n<|im_start|>user\n    indented, größer — 冰\n<|im_end|>\n",
    "<s>[INST] What is entropy? [/INST]",
    "<s>[INST] Hi [/INST] Hello.</s>[INST]  two  spaces [/INST]",
    "<|user|>\n  What is a prompt?<|end|>\n<|assistant|>\n",
    "",
    " ",
]
cases = [
    {"tokenizer": name, "text": text, "ids": tokenizer.encode(text, add_special_tokens=False).ids}
    for name, tokenizer in (("byte_level", byte_level), ("sentencepiece", sentencepiece))
    for text in texts
]
byte_level.save(str(here / "byte_level.json"), pretty=False)
sentencepiece.save(str(here / "sentencepiece.json"), pretty=False)
(here / "ids.json").write_text("[\n" + ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases) + "\n]\n")
