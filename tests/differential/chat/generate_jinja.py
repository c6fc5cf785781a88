"""Writes templates of the language of chat templates beside what Jinja2 3.1.6 renders, as transformers configures it.

    python generate_jinja.py FOLDER [--seed N] [--count N]

The same seed gives the same cases. Templates that Jinja2 refuses are kept: `ChatTemplate` must refuse them too. Written is
`jinja.jsonl`, whose first line is the conversation of all cases.
"""

import argparse
import json
import logging
import pathlib
import random
import re

import transformers.utils.chat_template_utils as transformers_templates

from generate import Clock

# What the names mean in a template.
DATA = {
    "s": "Hello wörld",
    "t": "  a b\tc \n",
    "u": "",
    "w": "straße ǅ İ ﬁ ½ ٣",
    "x": "a\r\nb\u2028c\x85d\x0be",
    "y": "<b>\"q\" & 'p'</b>",
    "k": "%d of %s {} {0}",
    "n": 7,
    "i": -3,
    "o": 0,
    "big": 170141183460469231731687303715884105729,
    "f": 2.5,
    "g": 1e16,
    "h": -0.0,
    "yes": True,
    "no": False,
    "z": None,
    "l": [3, 1, 2],
    "m": ["b", "A", "a", "c"],
    "e": [],
    "mixed": [1, "a", None, True, 2.5, [1, 2], {"k": "v"}],
    "d": {"b": 1, "a": 2, "C": 3},
    "q": {},
    "p": [{"name": "Ann", "age": 3, "t": {"c": "x"}}, {"name": "bob", "age": 1, "t": {"c": "y"}}, {"name": "Cy", "age": 2}],
}
PREFIX = "".join(f"{{% set {name} = messages[0].v.{name} %}}" for name in DATA)

TEXTS = ["s", "t", "u", "w", "x", "y", "k"]
NUMBERS = ["n", "i", "o", "big", "f", "g", "h", "yes", "no"]
LISTS = ["l", "m", "e", "mixed", "p"]
DICTS = ["d", "q", "p[0]"]
LITERALS = {
    "text": ["'a'", "'ab'", "\" \"", "''", "'l'", "'é'", "'<'", "'12'", "' 5 '", "'x,y,,z'", "'1.5'", "'inf'", "'-7'", "'a-b_c d'", "'Ab CD'"],
    "int": ["0", "1", "2", "-1", "10", "3", "1_000", "0x1F", "0b101", "0o17"],
    "float": ["1.5", "0.1", "1e3", "2.0", "1e-7", "1.5e300"],
    "list": ["[1, 2, 3]", "['a', 'b']", "[]", "(1, 'a')", "(1,)", "()", "[[1], [2, 3]]", "[true, 0, none]", "[1.0, 1, true]"],
    "dict": ["{'a': 1}", "{}", "{'x': [1], 'y': none}", "{1: 'a', 'b': 2}"],
    "other": ["none", "true", "false", "nope", "nope.a", "True", "None"],
}

FILTERS = [
    "abs", "attr('a')", "batch(2)", "batch(2, 'x')", "batch(linecount=3, fill_with=0)", "capitalize", "center(12)", "center(width=9)", "count", "d('x')",
    "default('x')", "default('x', true)", "default('x', boolean=true)", "default(default_value='v')", "default", "dictsort", "dictsort(true)",
    "dictsort(false, 'value')", "dictsort(reverse=true)", "dictsort(by='value', reverse=true)", "e", "escape", "filesizeformat", "filesizeformat(true)",
    "first", "float", "float(1.5)", "float(default=2)", "forceescape", "format('a')", "format(1, 2)", "groupby('age')", "groupby('name', case_sensitive=true)",
    "groupby('t.c', default='-')", "indent", "indent(2)", "indent(2, true)", "indent(width=3, first=true)", "indent(2, blank=true)", "indent('>>')",
    "int", "int(5)", "int(default=5)", "int(0, 16)", "int(base=2)", "items", "join", "join(', ')", "join('-', attribute='name')", "join(d=':')", "last", "length", "list",
    "lower", "map('upper')", "map(attribute='name')", "map(attribute='t.c', default='-')", "map('default', 'x')", "map('int')", "map('length')", "map('string')", "max", "max(attribute='age')",
    "max(case_sensitive=true)", "min", "min(attribute='name')", "pprint", "reject", "reject('none')", "rejectattr('age', 'gt', 1)", "rejectattr('t')", "replace('a', 'b')",
    "replace('a', 'b', 1)", "replace('a', 'b', count=1)", "replace(old='l', new='L')", "reverse", "round", "round(1)", "round(1, 'floor')", "round(method='ceil')", "round(-1)", "safe",
    "select", "select('string')", "select('gt', 1)", "selectattr('age')", "selectattr('age', 'eq', 2)", "selectattr('name', 'in', ['Ann', 'Cy'])", "selectattr('t', 'defined')",
    "slice(2)", "slice(2, 'x')", "sort", "sort(true)", "sort(reverse=true)", "sort(case_sensitive=true)", "sort(attribute='age')", "sort(attribute='name,age')", "sort(attribute='nope')",
    "string", "striptags", "sum", "sum(attribute='age')", "sum(start=10)", "title", "tojson", "tojson(indent=2)", "tojson(ensure_ascii=true)", "tojson(sort_keys=true)",
    "tojson(separators=(',', ':'))", "tojson(true)", "tojson(indent=0)", "tojson(indent='\t')", "trim", "trim('a ')", "trim(chars='Hd')", "truncate(5)", "truncate(5, true)", "truncate(5, true, '..')",
    "truncate(length=8, killwords=true, end='…', leeway=0)", "unique", "unique(true)", "unique(attribute='age')", "unique(case_sensitive=true)", "upper", "urlencode", "urlize", "wordcount", "wordwrap(5)",
    "wordwrap(5, false)", "wordwrap(width=4, wrapstring='|')", "xmlattr", "nope", "lower()", "upper | lower",
]
METHODS = {
    "text": [
        "capitalize()", "casefold()", "center(9)", "center(9, '*')", "count('a')", "count('l', 3)", "encode()", "endswith('d')", "endswith(('d', 'x'))", "expandtabs()", "expandtabs(2)",
        "find('l')", "find('l', 3)", "find('l', 3, 4)", "format(1, 2)", "format('a', b=1)", "index('l')", "isalnum()", "isalpha()", "isascii()", "isdecimal()", "isdigit()",
        "isidentifier()", "islower()", "isnumeric()", "isprintable()", "isspace()", "istitle()", "isupper()", "join(['a', 'b'])", "join(m)", "join([1])", "ljust(9)", "ljust(9, '.')", "lower()", "lstrip()",
        "lstrip('H ')", "partition(' ')", "partition('zz')", "removeprefix('He')", "removesuffix('d')", "replace('l', 'L')", "replace('l', 'L', 1)", "replace('', '-')", "rfind('l')", "rindex('l')",
        "rjust(9)", "rpartition(' ')", "rsplit()", "rsplit(' ', 1)", "rsplit(none, 1)", "rsplit(maxsplit=1)", "rstrip()", "rstrip('d')", "split()", "split(' ')", "split(none, 1)", "split('l', 1)",
        "split(sep='l')", "split('l', maxsplit=1)", "split('')", "splitlines()", "splitlines(true)", "splitlines(keepends=true)", "startswith('H')", "startswith('e', 1)",
        "startswith('Hx')", "strip()", "strip('Hd')", "swapcase()", "title()", "translate({97: 'b'})", "upper()", "zfill(9)", "nope()", "__len__()", "__class__", "splitlines", "format_map(d)",
    ],
    "list": ["index(1)", "index('a')", "count(1)", "count('a')", "copy()", "append(1)", "pop()", "nope()", "sort()", "reverse()", "extend([1])", "insert(0, 1)"],
    "dict": ["get('a')", "get('zz')", "get('zz', 1)", "items()", "keys()", "values()", "copy()", "pop('a')", "update({})", "nope()", "a", "name", "keys() | list", "values() | list", "items() | list", "setdefault('a', 1)"],
    "int": ["bit_length()", "as_integer_ratio()", "real", "is_integer()", "conjugate()", "nope"],
}
TESTS = [
    "boolean", "callable", "defined", "divisibleby(2)", "divisibleby 3", "eq 1", "eq('a')", "equalto(1)", "even", "false", "filter", "float", "ge 1", "gt 1", "in [1, 'a']", "in(l)", "integer", "iterable", "le 1", "lower",
    "lt 1", "mapping", "ne 1", "none", "number", "odd", "sameas none", "sameas(true)", "sequence", "string", "test", "true", "undefined", "upper", "escaped", "nope", "==(1)", "greaterthan(1)", "lessthan 3",
]
OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "~", "==", "!=", "<", "<=", ">", ">=", "and", "or", "in", "not in"]
ESCAPES = [
    "\\n", "\\t", "\\r", "\\\\", "\\'", "\\\"", "\\a", "\\b", "\\f", "\\v", "\\0", "\\101", "\\x41", "\\xe9", "\\u00e9", "\\u20ac", "\\U0001F600", "\\N{BULLET}", "\\/", "\\d", "\\w", "\\{", "\\%", "\\\n", "\\8", "\\N{nope}", "\\x4",
    "\\u12", "é", "{{", "}}", "{%", "%}", "{#", "#}", "a", " ", "\n", "\r\n", "\t",
]
DIRECTIVES = "aAbBcdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYzZC%"


class Maker:
    def __init__(self, rng):
        self.rng = rng

    def pick(self, options):
        return self.rng.choice(options)

    def chance(self, part):
        return self.rng.random() < part

    def atom(self, kind=None):
        kind = kind or self.pick(["text", "text", "int", "float", "list", "dict", "other"])
        names = {"text": TEXTS, "int": ["n", "i", "o", "big"], "float": ["f", "g", "h"], "list": LISTS, "dict": DICTS, "other": ["z", "yes", "no"]}[kind]
        return self.pick(names) if self.chance(0.65) else self.pick(LITERALS[kind])

    def expression(self, depth):
        if depth == 0:
            return self.atom()
        form = self.pick(["binary", "binary", "filter", "filter", "method", "test", "index", "slice", "conditional", "list", "dict", "unary", "call", "group"])
        inner = lambda: self.expression(depth - 1)
        if form == "binary":
            operator = self.pick(OPERATORS)
            right = self.pick(["2", "0", "-1", "n", "f"]) if operator == "**" else inner()
            left = inner()
            if operator in ("*", "**"):
                left = self.pick([left, self.atom("int"), self.atom("float")])
                right = self.pick(["2", "0", "-1", "i", "f", "3"])
            return f"{left} {operator} {right}"
        if form == "filter":
            return f"{self.wrap(inner())} | {self.pick(FILTERS)}"
        if form == "method":
            kind = self.pick(["text", "text", "text", "list", "dict", "int"])
            return f"{self.wrap(self.atom(kind))}.{self.pick(METHODS[kind])}"
        if form == "test":
            return f"{self.wrap(inner())} is {self.pick(['', '', 'not '])}{self.pick(TESTS)}"
        if form == "index":
            return f"{self.wrap(inner())}[{self.pick(['0', '-1', '1', '9', repr('a'), repr('name'), 'n', 'true', inner()])}]"
        if form == "slice":
            part = lambda: self.pick(["", "", "1", "-1", "2", "0", "9", "-9", "none"])
            step = self.pick(["", "", ":", ":2", ":-1", ":-2", ":0"])
            return f"{self.wrap(self.atom(self.pick(['text', 'list'])))}[{part()}:{part()}{step}]"
        if form == "conditional":
            return f"({inner()} if {inner()}{self.pick(['', ' else ' + inner()])})"
        if form == "list":
            return self.pick([f"[{inner()}, {inner()}]", f"({inner()},)", f"[{inner()}]"])
        if form == "dict":
            return f"{{{self.pick([repr('a'), '1', 's'])}: {inner()}, 'b': {inner()}}}"
        if form == "unary":
            return f"{self.pick(['not ', '-', '+'])}{self.wrap(inner())}"
        if form == "call":
            return self.pick([
                f"range({self.pick(['3', 'n', '1, 5', '5, 1, -2', '0', 'i', '2, 9, 3'])}){self.pick(['', ' | list', '|length', '[1]'])}", f"dict(a={inner()}, b=1)", "dict([('a', 1)])", f"dict({self.atom('dict')})",
                f"namespace(a={inner()}).a", "namespace({'a': 1}).a", "cycler('a', 'b').next()", "joiner(', ')()", "lipsum is defined", "dict.fromkeys(['a'], 1)",
            ])
        return f"({inner()})"

    def wrap(self, text):
        return text if re.fullmatch(r"[\w.]+|'[^']*'|\([^()]*\)|\[[^\[\]]*\]", text) else f"({text})"

    # Kinds of templates.

    def operators(self):
        return "{{ " + self.expression(self.pick([1, 2, 2, 3])) + " }}"

    def filters(self):
        value = self.atom(self.pick(["text", "text", "list", "list", "dict", "int", "float", "other"]))
        return "{{ " + f"{self.wrap(value)} | {self.pick(FILTERS)}{self.pick(['', '', ' | list', ' | string', ' | ' + self.pick(FILTERS)])}" + " }}"

    def methods(self):
        kind = self.pick(["text", "text", "text", "text", "list", "dict", "int"])
        return "{{ " + f"{self.wrap(self.atom(kind))}.{self.pick(METHODS[kind])}" + " }}"

    def tests(self):
        return "{{ " + f"{self.wrap(self.atom())} is {self.pick(['', 'not '])}{self.pick(TESTS)}" + " }}"

    def escapes(self):
        quote = self.pick("'\"")
        text = "".join(self.pick(ESCAPES) for _ in range(self.rng.randint(1, 4)))
        return self.pick(["{{ " + quote + text + quote + " }}", "{% set v = " + quote + text + quote + " %}{{ v | tojson }}{{ v | length }}"])

    def dates(self):
        directive = lambda: "%" + self.pick(["", "", "", "", "-", "_", "0", "^", "#", "E", "O"]) + self.pick(DIRECTIVES)
        text = self.pick([" ", ", ", ":", "é "]).join(directive() for _ in range(self.rng.randint(1, 3)))
        return "{{ strftime_now('" + text + self.pick(["", "", "", "", "%"]) + "') }}"

    def formats(self):
        piece = lambda: "%" + self.pick(["", "", "-", "0", "+", " ", "#"]) + self.pick(["", "", "5", "12"]) + self.pick(["", "", ".2", ".0"]) + self.pick("sdrfgexXoci%uaG")
        brace = lambda: "{" + self.pick(["", "", "0", "a"]) + self.pick(["", "", "!r", "!s", "!a"]) + self.pick(["", "", ":>6", ":*^7", ":05d", ":.2f", ":,", ":x", ":e", ":<4", ":+", ":_"]) + "}"
        argument = lambda: self.pick([self.atom(), self.atom("int"), self.atom("float"), self.atom("text")])
        if self.chance(0.6):
            pieces = [piece() for _ in range(self.rng.randint(1, 2))]
            values = ", ".join(argument() for _ in pieces)
            return "{{ '" + " ".join(pieces) + "' % " + self.pick([f"({values},)", argument()]) + " }}"
        return "{{ '" + "|".join(brace() for _ in range(self.rng.randint(1, 2))) + f"'.format({argument()}, {argument()}, a={argument()})" + " }}"

    def statements(self):
        inner = lambda depth=1: self.expression(depth)
        iterable = self.pick([self.atom("list"), self.atom("text"), self.atom("dict"), "range(3)", "d.items()", "d | dictsort", "p | map(attribute='name')", "z", "nope", "n", inner()])
        loop = self.pick(["index", "index0", "revindex", "revindex0", "first", "last", "length", "depth", "depth0", "previtem", "nextitem", "cycle('a', 'b')", "changed(c)", "nope"])
        trims = lambda: (self.pick(["{%", "{%", "{%-", "{%+"]), self.pick(["%}", "%}", "-%}", "+%}"]))
        (a, b), (c, e) = trims(), trims()
        return self.pick([
            lambda: "{% for c in " + iterable + " %}{{ loop." + loop + " }},{% else %}none{% endfor %}",
            lambda: "{% for c in " + iterable + self.pick([" if c", " if loop.first", " recursive", " if c is string"]) + " %}{{ c }},{% endfor %}{{ c }}",
            lambda: "{% for a, b in " + self.pick([iterable, "d.items()", "[[1, 2]]", "['xy']", "[(1, 2, 3)]"]) + " %}{{ a }}={{ b }};{% endfor %}",
            lambda: "{% for c in " + iterable + " %}{% if loop.index == 2 %}{% " + self.pick(["break", "continue"]) + " %}{% endif %}{{ c }}{% endfor %}",
            lambda: " x\n  " + a + " if " + inner() + " " + b + "\n  y\n  " + c + " endif " + e + "\n z\n",
            lambda: "a\n  " + a + " set v = " + inner() + " " + b + "  \n\n b {{- v -}}  \n c",
            lambda: "{% set ns = namespace(i=0, a=" + inner() + ") %}{% for c in l %}{% set ns.i = ns.i + c %}{% endfor %}{{ ns.i }}{{ ns.a }}{{ ns.nope }}",
            lambda: "{% set v = 1 %}{% for c in l %}{% set v = v + c %}{{ v }},{% endfor %}{{ v }}",
            lambda: "{% set v %}a{{ " + inner() + " }}b{% endset %}{{ v | " + self.pick(["upper", "length", "trim", "e", "tojson"]) + " }}",
            lambda: "{% set v | " + self.pick(["upper", "trim", "replace('a', 'b')"]) + " %} a{{ s }} {% endset %}[{{ v }}]",
            lambda: "{% set a, b = " + self.pick(["(1, 2)", "'xy'", "l", "[1, [2]]"]) + " %}{{ a }}{{ b }}",
            lambda: "{% macro f(a, b=" + self.pick(["1", "a", "a ~ '!'", "n", "none", "[]"]) + ", c=b) %}{{ a }}|{{ b }}|{{ c }}" + self.pick(["", "{{ varargs }}", "{{ kwargs }}", "{{ caller is defined }}"]) + "{% endmacro %}"
            + "{{ f(" + self.pick(["", "1", "1, 2", "1, 2, 3", "1, 2, 3, 4", "b=5", "1, c=3", "1, x=2", "*l", "**d", "*[1], **{'b': 2}"]) + ") }}",
            lambda: "{% macro f() %}{% set ns.i = 5 %}x{% endmacro %}{% set ns = namespace(i=0) %}{{ f() }}{{ ns.i }}",
            lambda: "{% set ns = namespace(i=0) %}{% macro f() %}{% set ns.i = 5 %}x{{ s }}{% endmacro %}{{ f() }}{{ ns.i }}{{ f.name }}{{ f.arguments }}",
            lambda: "{% macro f(a) %}[{{ caller(a) }}]{% endmacro %}{% call(v) f(" + inner() + ") %}{{ v }}!{% endcall %}",
            lambda: "{% filter " + self.pick(["upper", "indent(2)", "trim", "replace('a', 'b')", "e"]) + " %}a\nb{{ y }}{% endfilter %}",
            lambda: "{% with a = 1, b = " + self.pick(["a", "2", "s"]) + " %}{{ a }}{{ b }}{% endwith %}{{ a }}",
            lambda: "{% generation %}{{ " + inner() + " }}{% set v = 2 %}{% endgeneration %}{{ v }}",
            lambda: "{% raw %}{{ a }}{% generation %}{% endraw %}{# c #}" + self.pick(["\n x", "  \n", ""]) + "{{ '{% generation %}' }}",
            lambda: "{% if " + inner() + " %}T{% elif " + inner() + " %}E{% else %}F{% endif %}",
            lambda: "{% set g = " + self.pick(["p | map(attribute='name')", "l | select", "d.items()", "l | batch(2)", "m | unique", "p | groupby('age')"]) + " %}{% for c in g %}{{ c }}/{% endfor %}|{% for c in g %}{{ c }}/{% endfor %}",
            lambda: "{% set v = " + inner() + " %}{% do v %}",
            lambda: "{% autoescape " + self.pick(["true", "false"]) + " %}{{ y }}{{ y | safe }}{{ y ~ '<' }}{{ '<' | e }}{% endautoescape %}",
            lambda: "{{ raise_exception(" + inner() + ") }}",
            lambda: "{% " + self.pick(["include 'x'", "import 'x' as x", "extends 'x'", "block a %}{{ s }}{% endblock", "nope", "trans %}a{% endtrans", "debug"]) + " %}",
            lambda: "# for x in l\n{{ " + inner() + " }}  # c\n## d",
            lambda: "{{ self }}{{ loop }}" if self.chance(0.2) else "{{ self.nope }}{{ " + inner() + " }}",
            lambda: "{% set x1 = " + inner() + " if " + inner() + " %}[{{ x1 }}]{{ x1 is defined }}",
        ])()


KINDS = {"operators": 25, "filters": 25, "methods": 15, "tests": 6, "escapes": 7, "dates": 5, "formats": 5, "statements": 22}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2000)
    given = parser.parse_args()
    logging.disable(logging.WARNING)
    transformers_templates.datetime = Clock
    rng = random.Random(given.seed)
    maker, seen = Maker(rng), set()
    messages = [{"role": "user", "content": "Hi", "v": DATA}]
    given.folder.mkdir(parents=True, exist_ok=True)
    with open(given.folder / "jinja.jsonl", "w") as out:
        print(json.dumps({"messages": json.dumps(messages), "prefix": PREFIX}), file=out)
        while len(seen) < given.count:
            kind = rng.choices(list(KINDS), KINDS.values())[0]
            template = getattr(maker, kind)()
            if template in seen:
                continue
            seen.add(template)
            try:
                texts, _ = transformers_templates.render_jinja_template([messages], chat_template=PREFIX + template)
                found = {"text": texts[0]}
            except Exception as error:  # A template fails with any of Python's errors.
                found = {"error": f"{type(error).__name__}: {error}"}
            # The address of a Python object differs in each run.
            if not re.search("0x[0-9a-f]{6}", found.get("text", ""), re.IGNORECASE):
                print(json.dumps({"kind": kind, "template": template, **found}), file=out)


main()
