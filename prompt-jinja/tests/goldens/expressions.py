"""What Jinja2 3.1.6 makes of filters, tests, methods and operators, as one JSON line for each case.

    pip install jinja2==3.1.6
    python expressions.py 600 > expressions.jsonl     # the cases that the repository keeps
    python expressions.py 100000 7 > more.jsonl       # more of them, from another seed

A value is written as itself where JSON has it; all else as an object of one key: {"float": "nan"}, {"tuple": [..]},
{"dict": [[key, value], ..]}, {"undefined": true}; an argument that is not given is {"absent": true}.
The result is Python's `repr`, or null where there is an error.
"""

import json
import math
import random
import sys
import types

import jinja2
from jinja2 import StrictUndefined
from jinja2.runtime import Undefined

assert jinja2.__version__ == "3.1.6", jinja2.__version__

env = jinja2.Environment(undefined=StrictUndefined)
ABSENT = object()

# The parameters, in their order.
FILTERS = {
    "abs": [], "batch": ["linecount", "fill_with"], "capitalize": [], "center": ["width"],
    "default": ["default_value", "boolean"], "dictsort": ["case_sensitive", "by", "reverse"], "escape": [],
    "filesizeformat": ["binary"], "first": [], "float": ["default"], "groupby": ["attribute", "default", "case_sensitive"],
    "indent": ["width", "first", "blank"], "int": ["default", "base"], "items": [], "join": ["d", "attribute"], "last": [],
    "length": [], "list": [], "lower": [], "max": ["case_sensitive", "attribute"], "min": ["case_sensitive", "attribute"],
    "replace": ["old", "new", "count"], "reverse": [], "round": ["precision", "method"], "slice": ["slices", "fill_with"],
    "sort": ["reverse", "case_sensitive", "attribute"], "string": [], "sum": ["attribute", "start"], "title": [],
    "tojson": ["indent"], "trim": ["chars"], "truncate": ["length", "killwords", "end", "leeway"],
    "unique": ["case_sensitive", "attribute"], "upper": [], "urlencode": [], "wordcount": [],
    "wordwrap": ["width", "break_long_words", "wrapstring", "break_on_hyphens"],
}
TESTS = {
    "boolean": 0, "defined": 0, "divisibleby": 1, "eq": 1, "even": 0, "false": 0, "float": 0, "ge": 1, "gt": 1, "in": 1,
    "integer": 0, "iterable": 0, "le": 1, "lower": 0, "lt": 1, "mapping": 0, "ne": 1, "none": 0, "number": 0, "odd": 0,
    "sequence": 0, "string": 0, "true": 0, "undefined": 0, "upper": 0,
}
METHODS = {
    "capitalize": [], "casefold": [], "center": ["width", "fillchar"], "count": ["item", "from", "to"], "endswith": ["suffix", "from", "to"],
    "expandtabs": ["tabsize"], "find": ["part", "from", "to"], "get": ["key", "default"], "index": ["item", "from", "to"],
    "isalnum": [], "isalpha": [], "isascii": [], "isdecimal": [], "isdigit": [], "isidentifier": [], "islower": [], "isnumeric": [],
    "isprintable": [], "isspace": [], "istitle": [], "isupper": [], "items": [], "join": ["items"], "keys": [],
    "ljust": ["width", "fillchar"], "lower": [], "lstrip": ["chars"], "partition": ["separator"], "removeprefix": ["affix"],
    "removesuffix": ["affix"], "replace": ["old", "new", "count"], "rfind": ["part", "from", "to"], "rindex": ["part", "from", "to"],
    "rjust": ["width", "fillchar"], "rpartition": ["separator"], "rsplit": ["sep", "maxsplit"], "rstrip": ["chars"],
    "split": ["sep", "maxsplit"], "splitlines": ["keepends"], "startswith": ["prefix", "from", "to"], "strip": ["chars"],
    "swapcase": [], "title": [], "upper": [], "values": [], "zfill": ["width"],
}
OPERATORS = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b,
    "floor_div": lambda a, b: a // b, "rem": lambda a, b: a % b, "pow": lambda a, b: a**b,
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b, "contains": lambda a, b: a in b,
    "concat": lambda a, b: str(a) + str(b), "index": lambda a, b: env.getitem(a, b),
    "neg": lambda a: -a, "pos": lambda a: +a, "is_true": lambda a: bool(a), "text": lambda a: str(a),
}

TEXTS = [
    "", " ", "a", "A", "b", "Hello World", "hello-world again", "foo bar baz qux", "  padded\t", "it's", 'say "hi"', "both ' and \"",
    "line one\nline two\n\nline four\n", "a\r\nb\rc", "x\u2028y", "naïve Ångström", "straße ﬁn", "ΑΣ ΣΑΣ", "ǆ ǅ", "日本語 text",
    "🦀 crab", "tab\there", "back\\slash", "\x00\x1f\x7f\xa0\xad", "<b>&'\"</b>", "12", "-7", " 42.23 ", "1e3", "1_000", "0x1F", "ff",
    "1e400", "nan", "inf", "three", "٣٤", "½", "²", "Ǆ", "Title Case", "a_b1", "a,b,,c", "well-known state-of-the-art x--y e.g. -- end", "aaaaaaaaaaaaaaaaaaaaaaaaa-bbbbbbbbbbbb",
    "%s and %d", "%05.2f|%-8s|%x", "100%", "%(a)s", "end.", "they're bill's friends", "ALL CAPS", "user.name", "age", "name",
]
INTS = [0, 1, -1, 2, 3, 5, 7, -7, 10, 42, 79, 100, 1234, 15, 25, 10**18, 2**63, -(2**63), 2**100]
FLOATS = [0.0, -0.0, 0.5, 1.0, 1.5, 2.5, -2.5, 0.1, 42.55, 2.675, 1e16, 1e-5, 123456789.987, 1e300, 5e-324, math.inf, -math.inf, math.nan, 1e22, 3.0]


def rand_scalar(r):
    pick = r.random()
    if pick < 0.4:
        return r.choice(TEXTS)
    if pick < 0.65:
        return r.choice(INTS)
    if pick < 0.8:
        return r.choice(FLOATS)
    if pick < 0.9:
        return r.choice([True, False])
    if pick < 0.97:
        return None
    return env.undefined(name="x")


def no_undefined(r, make):
    while True:
        value = make(r)
        if not isinstance(value, Undefined):
            return value


def rand_row(r):
    row = {}
    for key in r.sample(["name", "age", "user", "tags", "b", "A"], r.randint(0, 4)):
        if key == "name":
            row[key] = r.choice(["Ada", "ada", "Bo", "cy", "Zoë"])
        elif key == "age":
            row[key] = r.choice([1, 30, 30.0, 5, 18])
        elif key == "user":
            row[key] = {"name": r.choice(["x", "Y", "z"])}
        else:
            row[key] = no_undefined(r, rand_scalar)
    return row


def rand_list(r):
    pick = r.random()
    size = r.randint(0, 6)
    if pick < 0.25:
        return [r.choice(INTS[:14]) for _ in range(size)]
    if pick < 0.5:
        return [r.choice(TEXTS[:12] + ["B", "b", "a"]) for _ in range(size)]
    if pick < 0.6:
        return [r.choice(INTS[:10] + FLOATS[:10]) for _ in range(size)]
    if pick < 0.8:
        return [{"name": r.choice(["Ada", "ada", "Bo", "cy"]), "age": r.choice([1, 30, 30.0, 5])} for _ in range(size)]
    if pick < 0.9:
        return [rand_row(r) for _ in range(size)]
    return [no_undefined(r, rand_value) for _ in range(min(size, 3))]


def rand_value(r):
    pick = r.random()
    if pick < 0.55:
        return rand_scalar(r)
    if pick < 0.8:
        return rand_list(r)
    if pick < 0.87:
        return tuple(rand_list(r))
    return rand_row(r)


GOOD = {
    "linecount": lambda r: r.randint(1, 4), "fill_with": lambda r: r.choice(["-", None, 0]), "width": lambda r: r.choice([1, 2, 5, 8, 10, 20, 80]),
    "boolean": lambda r: r.choice([True, False]), "case_sensitive": lambda r: r.choice([True, False]), "by": lambda r: r.choice(["key", "value"]),
    "reverse": lambda r: r.choice([True, False]), "binary": lambda r: r.choice([True, False]),
    "attribute": lambda r: r.choice(["name", "age", "user.name", "0", 0, "b"]), "base": lambda r: r.choice([10, 16, 2, 8, 0, 36]),
    "d": lambda r: r.choice([", ", "", "-", 1]), "old": lambda r: r.choice(["a", "o", "", "l", " ", "\n"]), "new": lambda r: r.choice(["", "X", "ab", "é"]),
    "count": lambda r: r.choice([0, 1, 2, -1]), "precision": lambda r: r.choice([0, 1, 2, -1, -2, 5, 300, -20]),
    "method": lambda r: r.choice(["common", "ceil", "floor"]), "slices": lambda r: r.randint(1, 4), "start": lambda r: r.choice([0, 1, 0.5]),
    "indent": lambda r: r.choice([None, 0, 2, 4]), "chars": lambda r: r.choice([None, " ", "ab", "dl "]), "length": lambda r: r.choice([3, 5, 9, 11, 255]),
    "killwords": lambda r: r.choice([True, False]), "end": lambda r: r.choice(["...", "", "…"]), "leeway": lambda r: r.choice([None, 0, 5]),
    "break_long_words": lambda r: r.choice([True, False]), "wrapstring": lambda r: r.choice([None, "\n", " | "]),
    "break_on_hyphens": lambda r: r.choice([True, False]), "first": lambda r: r.choice([True, False]), "blank": lambda r: r.choice([True, False]),
    "sep": lambda r: r.choice([None, ",", " ", "a", "\n", ""]), "maxsplit": lambda r: r.choice([-1, 0, 1, 2]),
    "suffix": lambda r: r.choice(["d", "World", ("a", "d"), ""]), "prefix": lambda r: r.choice(["h", "Hello", ("a", "H"), ""]),
    "part": lambda r: r.choice(["o", "World", "é", ""]), "key": lambda r: r.choice(["name", "age", "zzz", 1]), "items": lambda r: rand_list(r),
    "from": lambda r: r.choice([None, 0, 1, 3, -3, 100]), "to": lambda r: r.choice([None, 0, 4, -1, 100]), "affix": lambda r: r.choice(["h", "a", "."]),
    "fillchar": lambda r: r.choice(["*", "é", "ab"]), "tabsize": lambda r: r.choice([0, 1, 4, 8]), "keepends": lambda r: r.choice([True, False]),
    "separator": lambda r: r.choice([",", " ", "a", "é", ""]),
    "item": lambda r: r.choice(["a", 1, "l", "name"]), "default_value": rand_scalar, "default": rand_scalar,
}


def encode(value):
    if value is ABSENT:
        return {"absent": True}
    if isinstance(value, Undefined):
        return {"undefined": True}
    if isinstance(value, float):
        return {"float": repr(value)}
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 2**63:
        return {"int": str(value)}
    if isinstance(value, tuple):
        return {"tuple": [encode(item) for item in value]}
    if isinstance(value, list):
        return [encode(item) for item in value]
    if isinstance(value, dict):
        return {"dict": [[encode(key), encode(item)] for key, item in value.items()]}
    return value


def plain(value):
    """Iterators as lists, and all that is left of Python's own types."""
    if isinstance(value, Undefined):
        return value
    if isinstance(value, (types.GeneratorType, type(iter([])), type(reversed([])), type(reversed(())), type({}.keys()), type({}.values()), type({}.items()))) or (
        type(value).__name__.endswith("iterator")
    ):
        return [plain(item) for item in value]
    if isinstance(value, tuple):
        return tuple(plain(item) for item in value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, str):
        return str(value)
    return value


class Outside(Exception):
    """What is known to differ: numbers beyond 128 bits, and complex ones."""


def shown(value):
    value = plain(value)
    if isinstance(value, Undefined):
        return "Undefined"
    if isinstance(value, bytes):
        raise Outside
    check_bounds(value)
    return repr(value)


def check_bounds(value):
    if isinstance(value, complex) or (isinstance(value, int) and abs(value) >= 2**127):
        raise Outside
    if isinstance(value, (list, tuple)):
        for item in value:
            check_bounds(item)


def case(r):
    kind = r.choices(["filter", "test", "method", "op", "slice", "format"], [50, 10, 14, 20, 6, 6])[0]
    if kind == "filter":
        name = r.choice(list(FILTERS))
        params = FILTERS[name]
        value = fitting(r, name)
        args = []
        for param in params:
            must = (name, param) in {("batch", "linecount"), ("slice", "slices"), ("groupby", "attribute"), ("replace", "old"), ("replace", "new")}
            if must or r.random() < 0.5:
                args.append(GOOD[param](r))
            else:
                args.append(ABSENT)
        if name == "truncate" and not isinstance(value, str):
            raise Outside  # A short list stays a list.
        given = {param: arg for param, arg in zip(params, args) if arg is not ABSENT}
        if name == "groupby" and "nan" in repr(args):
            raise Outside  # Python looks at identity first.
        if name in ("int", "float", "default", "replace", "first") and any(isinstance(arg, Undefined) for arg in args):
            raise Outside  # An argument that is not defined is looked at only where it is used.
        run = lambda: env.filters[name](*(context(name) + [value]), **given)
    elif kind == "test":
        name = r.choice(list(TESTS))
        value = rand_value(r)
        args = [rand_value(r) if r.random() < 0.5 else value for _ in range(TESTS[name])]
        if name in ("divisibleby", "odd", "even") and r.random() < 0.7:
            value = r.choice(INTS)
            args = [r.choice(INTS) for _ in args]
        if "nan" in repr(args) or (name == "in" and isinstance(value, Undefined)):
            raise Outside
        run = lambda: env.tests[name](value, *args)
    elif kind == "method":
        name = r.choice(list(METHODS))
        value = rand_row(r) if name in ("get", "items", "keys", "values") else r.choice(TEXTS)
        if name in ("count", "index") and r.random() < 0.5:
            value = rand_list(r)
        params = METHODS[name]
        must = {"item", "suffix", "part", "key", "items", "old", "new", "prefix", "affix", "separator", "width"}
        args = [GOOD[param](r) if param in must or r.random() < 0.5 else ABSENT for param in params]
        # Methods take their arguments by place alone.
        absent = [at for at, arg in enumerate(args) if arg is ABSENT]
        args = args[: absent[0]] if absent else args
        if any(isinstance(arg, Undefined) for arg in args):
            raise Outside
        run = lambda: getattr(value, name)(*args)
    elif kind == "op":
        name = r.choice(list(OPERATORS))
        function = OPERATORS[name]
        value = rand_value(r)
        args = []
        if function.__code__.co_argcount == 2:
            args = [rand_value(r) if r.random() < 0.6 else value]
        if name in ("sub", "mul", "div", "floor_div", "rem", "pow", "neg", "pos", "add") and r.random() < 0.75:
            value = r.choice(INTS + FLOATS + [True])
            args = [r.choice(INTS + FLOATS + [True]) for _ in args]
        if name == "contains" and r.random() < 0.5:
            args = [rand_list(r)]
            if args[0] and r.random() < 0.5:
                value = r.choice(args[0])
        if name in ("contains", "index") and any(isinstance(one, Undefined) for one in [value] + args):
            raise Outside  # Here it is an error in any case.
        if name in ("contains", "eq", "ne", "lt", "le", "gt", "ge") and "nan" in repr(args):
            raise Outside  # Python looks at identity first, so that `x == x` can hold in a list and not outside of it.
        if name == "mul" and any(isinstance(one, int) and abs(one) > 10**6 for one in [value] + args):
            if not all(isinstance(one, (int, float)) for one in [value] + args):
                raise Outside
        if name == "pow" and isinstance(value, int) and isinstance(args[0], int) and abs(args[0]) > 200:
            raise Outside
        run = lambda: function(value, *args)
    elif kind == "slice":
        name = "slice"
        value = r.choice([r.choice(TEXTS), rand_list(r), tuple(rand_list(r))])
        args = [r.choice([None, None, 0, 1, 2, -1, -2, 5, -9, 100]) for _ in range(2)] + [r.choice([None, None, 1, 2, -1, -2, 0])]
        run = lambda: value[args[0] : args[1] : args[2]]
    else:
        name = "format"
        flags = "".join(r.sample("-+ 0#", r.choice([0, 0, 1, 2])))
        width = r.choice(["", "", "1", "8", "12"])
        precision = r.choice(["", "", ".0", ".2", ".", ".10"])
        value = r.choice(["", "a ", "é%%"]) + "%" + flags + width + precision + r.choice("sdiuxXoeEfFgGrc%")
        args = [r.choice(INTS + FLOATS + TEXTS[:20] + [None, [1, "a"], True]) for _ in range(r.choice([1, 1, 1, 2, 0]))]
        if value.endswith("c") and any(isinstance(arg, int) and 0xD800 <= arg for arg in args):
            raise Outside
        run = lambda: env.filters["format"](value, *args)
    encoded = {"kind": kind, "name": name, "value": encode(value), "args": [encode(arg) for arg in args]}
    try:
        encoded["expect"] = shown(run())
    except Outside:
        raise
    except Exception:
        encoded["expect"] = None
    return encoded


def fitting(r, name):
    if r.random() < 0.2:
        return rand_value(r)
    if name in ("dictsort", "items"):
        return rand_row(r)
    if name in ("abs", "round", "filesizeformat"):
        return r.choice(INTS + FLOATS)
    if name in ("batch", "slice", "first", "last", "join", "list", "max", "min", "reverse", "sort", "sum", "unique", "groupby", "length"):
        return rand_list(r)
    if name in ("tojson", "string"):
        return rand_value(r)
    return r.choice(TEXTS)


def context(name):
    """What Jinja2 passes to a filter before the value."""
    function = env.filters[name]
    kind = getattr(function, "jinja_pass_arg", None)
    if kind is None:
        return []
    ctx = env.from_string("").new_context()
    return [{"context": ctx, "eval_context": ctx.eval_ctx, "environment": env}[kind.name]]


def main():
    count = int(sys.argv[1])
    r = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 3)
    seen = set()
    while len(seen) < count:
        try:
            line = json.dumps(case(r), ensure_ascii=False)
        except Outside:
            continue
        if line not in seen:
            seen.add(line)
            print(line)


main()
