"""Writes templates of the typed subset of Jinja, with values, as Rust prompts beside what Jinja2 renders.

    python generate.py FOLDER [--seed N] [--count N]

The same seed gives the same cases. Values that Jinja2 refuses (a division by zero, a missing key) are kept as well: the
prompt must refuse them too. Needs jinja2 3.1.6.
"""

import argparse
import json
import pathlib
import random
import shutil

import jinja2

# Test programs, so that two compile at a time and none takes much memory.
PARTS = 8

WORDS = ["a", "b c", "Hello", "äöü ß", "it's", 'say "x"', "x\ny", " pad ", "", "ONE two", "<b>&", "12", "3.5", "no-yes", "日本", "a,b,c", "tab\there", "under_score", "😀 é", "e\u0301x", "straße ﬁn", "ΣΑΣ", "it's o'neil-x", "%s {} \\d"]
TEXTS = ["Hi ", "\n", "  ", " - ", "\n\n", "x: ", "\n  ", "{", "}", "%", "end.\n", "\t", "é ", "\\n ", "\"q\" ", "# "]

# The fields that a template may use: name, kind, Rust type.
FIELDS = {
    "title": ("text", "String"),
    "note": ("text", "&'static str"),
    "count": ("int", "i64"),
    "age": ("int", "u8"),
    "score": ("float", "f64"),
    "done": ("bool", "bool"),
    "nick": ("option", "Option<String>"),
    "tags": ("texts", "Vec<String>"),
    "sizes": ("ints", "&'static [i64]"),
    "people": ("people", "Vec<Person>"),
    "owner": ("person", "Person"),
    "prices": ("dict", "BTreeMap<String, i64>"),
    "data": ("json", "serde_json::Value"),
}


class Maker:
    def __init__(self, rng):
        self.rng = rng
        self.used = set()
        self.scopes = []
        self.names = 0
        self.macros = []
        self.loops = 0
        # What the items of the loop are, where each has one name.
        self.item = None

    # Choosing.

    def chance(self, part):
        return self.rng.random() < part

    def pick(self, options):
        return self.rng.choice(options)

    def fresh(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    def known(self, kind):
        """The names of a kind that can be seen, each once."""
        found = [name for name, (of, _) in FIELDS.items() if of == kind]
        for scope in self.scopes:
            found += [name for name, (of, _) in scope.items() if of == kind] * 3
        return found

    def use(self, name):
        root = name.split(".")[0]
        for scope in reversed(self.scopes):
            if root in scope:
                scope[root] = (scope[root][0], True)
                return name
        self.used.add(root)
        return name

    # Expressions, each of a kind.

    def string(self):
        text = self.pick(WORDS)
        quote = self.pick("'\"")
        body = text.replace("\\", "\\\\").replace(quote, "\\" + quote).replace("\n", "\\n").replace("\t", "\\t")
        return quote + body + quote

    def text(self, depth):
        if depth <= 0 or self.chance(0.3):
            names = self.known("text")
            people = self.known("person")
            options = [lambda: self.use(self.pick(names)), self.string]
            if people:
                options.append(lambda: self.use(self.pick(people) + ".name"))
            if self.loops:
                options.append(lambda: f"loop.cycle({self.string()}, {self.string()}, {self.string()})")
                if self.item == "text":
                    options.append(lambda: f"{self.beside()} | default({self.string()})")
            return self.pick(options)()
        d = depth - 1
        filters = [
            lambda: f"{self.text(d)} | upper",
            lambda: f"{self.text(d)} | lower",
            lambda: f"{self.text(d)} | title",
            lambda: f"{self.text(d)} | capitalize",
            lambda: f"{self.text(d)} | trim",
            lambda: f"{self.text(d)} | trim('ax')",
            lambda: f"{self.text(d)} | replace({self.string()}, {self.text(0)})",
            lambda: f"{self.text(d)} | replace('a', 'zz', {self.rng.randint(0, 2)})",
            lambda: f"{self.text(d)} | truncate({self.rng.randint(3, 12)}, leeway={self.rng.randint(0, 3)})",
            lambda: f"{self.text(d)} | truncate({self.rng.randint(3, 12)}, true, '..', 0)",
            lambda: f"{self.text(d)} | wordwrap({self.rng.randint(2, 9)})",
            lambda: f"{self.text(d)} | wordwrap({self.rng.randint(2, 9)}, break_long_words=false)",
            lambda: f"{self.text(d)} | indent({self.rng.randint(0, 4)})",
            lambda: f"{self.text(d)} | indent(2, first=true, blank={self.truth()})",
            lambda: f"{self.text(d)} | center({self.rng.randint(1, 12)})",
            lambda: f"{self.any(d)} | string",
            # Plain text as well: what is added to the `Markup` of Jinja2 is escaped, which is an error here.
            lambda: f"('' ~ ({self.any(d)} | tojson))",
            lambda: f"('' ~ ({self.any(d)} | tojson(indent=2)))",
            lambda: f"{self.int(d)} | abs | filesizeformat({self.truth()})",
            lambda: f"'%.2f|%05d|%-4s|%x|%+d|%e|%r' | format({self.float(0)}, {self.int(0)}, {self.text(0)}, {self.rng.randint(0, 300)}, {self.int(0)}, {self.float(0)}, {self.any(0)})",
            lambda: f"{self.ints(d)} | batch(2) | map('join', '-') | join(';')",
            lambda: f"{self.texts(d)} | slice(2) | map('join', '-') | join(';')",
            lambda: f"{self.use('people')} | map(attribute='name') | map('upper') | join('/')",
            lambda: f"{self.texts(d)} | min",
            lambda: f"{self.text(d)} | indent(width='> ', first={self.truth()})",
            lambda: f"{self.text(d)} | title | replace(' ', '_')",
            lambda: "'\\x41\\u00e9\\101\\t\\'q\\\"\\\\'",
            lambda: f"{self.plain_list(d)} | join",
            lambda: f"{self.plain_list(d)} | join({self.string()})",
            lambda: f"{self.use(self.pick(self.known('people')))} | join(', ', attribute='name')",
            lambda: f"{self.use('nick')} | default({self.string()}, true)",
            lambda: f"{self.use('data')}.missing | default({self.string()})",
            lambda: f"{self.texts(d)} | first",
            lambda: f"{self.texts(d)} | last",
            lambda: f"{self.texts(d)} | max",
            lambda: f"{self.text(d)} | reverse",
            # Plain text, as it is here; Jinja2's own `Markup` escapes what it is joined with.
            lambda: f"('' ~ ({self.text(d)} | e))",
            lambda: f"{self.text(d)} | urlencode",
            lambda: f"'%s-%s' | format({self.any(0)}, {self.text(0)})",
        ]
        others = [
            lambda: f"({self.text(d)} ~ {self.any(d)})",
            lambda: f"({self.any(d)} ~ {self.text(d)} ~ {self.any(0)})",
            lambda: f"({self.text(d)} + {self.text(d)})",
            lambda: f"({self.text(0)} * {self.rng.randint(0, 3)})",
            lambda: f"({self.text(0)} if {self.bool(0)} else {self.text(0)} if {self.bool(0)} else {self.text(0)})",
            lambda: f"{self.atom_text()}[{self.bound()}:{self.bound()}:{self.pick([1, 2, -1, -2])}]",
            lambda: self.atom_text() + self.pick([".capitalize()", ".lower()", ".lstrip()", ".rstrip('x')", ".split('a')[0]"]),
            lambda: f"({self.text(d)} if {self.bool(d)} else {self.text(d)})",
            lambda: f"('' ~ ({self.text(0)} if {self.bool(d)}))",
            lambda: f"{self.atom_text()}[{self.bound()}:{self.bound()}]",
            lambda: f"{self.atom_text()}[::{self.pick([1, 2, -1])}]",
            lambda: f"{self.atom_text()}.upper()",
            lambda: f"{self.atom_text()}.strip()",
            lambda: f"{self.atom_text()}.title()",
            lambda: f"{self.atom_text()}.replace({self.string()}, {self.string()})",
            lambda: f"{self.string()}.join({self.texts(d)})",
            lambda: f"({self.use('nick')} or {self.string()})",
            lambda: f"{self.use('tags')}[{self.rng.randint(-2, 2)}]",
        ]
        return self.pick(self.pick([filters, filters, others]))()

    def atom_text(self):
        return self.pick([lambda: self.use(self.pick(self.known("text"))), self.string])()

    def bound(self):
        return self.pick(["", str(self.rng.randint(-4, 6))])

    def truth(self):
        return self.pick(["true", "false"])

    def int(self, depth):
        if depth <= 0 or self.chance(0.3):
            names = self.known("int")
            options = [lambda: self.use(self.pick(names)), lambda: str(self.rng.randint(0, 12))]
            if self.loops:
                options.append(lambda: self.pick(["loop.index", "loop.index0", "loop.revindex", "loop.revindex0", "loop.length", "loop.depth"]))
            people = self.known("person")
            if people:
                options.append(lambda: self.use(self.pick(people) + ".age"))
            return self.pick(options)()
        d = depth - 1
        return self.pick(
            [
                lambda: f"({self.int(d)} + {self.int(d)})",
                lambda: f"({self.int(d)} - {self.int(d)})",
                lambda: f"({self.int(d)} * {self.int(d)})",
                lambda: f"({self.int(d)} // {self.int(0)})",
                lambda: f"({self.int(d)} % {self.int(0)})",
                lambda: f"({self.rng.randint(0, 5)} ** {self.rng.randint(0, 4)})",
                lambda: f"(-{self.int(0)})",
                lambda: f"{self.any_sized(d)} | length",
                lambda: f"{self.any_sized(d)} | count",
                lambda: f"{self.text(d)} | int",
                lambda: f"{self.text(d)} | int({self.rng.randint(-3, 3)})",
                lambda: f"{self.float(0)} | int",
                lambda: f"{self.int(d)} | abs",
                lambda: f"{self.ints(d)} | sum",
                lambda: f"{self.ints(d)} | max",
                lambda: f"{self.ints(d)} | min",
                lambda: f"{self.ints(d)} | first",
                lambda: f"{self.ints(d)} | last",
                lambda: f"{self.text(d)} | wordcount",
                lambda: f"{self.use('people')} | sum(attribute='age')",
                lambda: f"{self.use('sizes')}[{self.rng.randint(-2, 2)}]",
                lambda: f"({self.int(d)} if {self.bool(d)} else {self.int(d)})",
                lambda: f"{self.atom_text()}.find('a')",
                lambda: f"{self.use('prices')}.get('tea', {self.int(0)})",
                lambda: self.use("prices") + self.pick(['["tea"]', '["salt"]', '["none"]']),
            ]
        )()

    def float(self, depth):
        if depth <= 0 or self.chance(0.3):
            return self.pick([lambda: self.use(self.pick(self.known("float"))), lambda: self.pick(["0.5", "1.0", "2.25", "3e2", "1.5"])])()
        d = depth - 1
        return self.pick(
            [
                lambda: f"({self.number(d)} / {self.number(0)})",
                lambda: f"({self.float(d)} + {self.number(d)})",
                lambda: f"({self.number(d)} * {self.float(d)})",
                lambda: f"{self.float(d)} | round",
                lambda: f"{self.float(d)} | round({self.rng.randint(0, 3)})",
                lambda: self.float(d) + " | round(1, " + self.pick(["'ceil'", "'floor'", "'common'"]) + ")",
                lambda: f"{self.int(d)} | round(1)",
                lambda: f"{self.text(d)} | float",
                lambda: f"{self.int(d)} | float",
                lambda: f"{self.float(d)} | abs",
                lambda: f"(-{self.float(0)})",
            ]
        )()

    def number(self, depth):
        return self.pick([self.int, self.float])(depth)

    def bool(self, depth):
        if depth <= 0 or self.chance(0.25):
            options = [lambda: self.use(self.pick(self.known("bool"))), self.truth]
            if self.loops:
                options.append(lambda: self.pick(["loop.first", "loop.last"]))
                options.append(lambda: f"loop.changed({self.pick([self.text, self.int])(0)})")
                # Of an item that is a struct it is asked in the tag of a condition only.
                if self.item and self.item != "person":
                    options.append(lambda: self.pick(["loop.previtem is defined", "loop.nextitem is undefined"]))
            return self.pick(options)()
        d = depth - 1
        return self.pick(
            [
                lambda: f"{self.number(d)} {self.order()} {self.number(d)}",
                lambda: f"{self.text(d)} {self.order()} {self.text(d)}",
                lambda: f"{self.int(0)} < {self.int(0)} <= {self.int(0)}",
                lambda: f"{self.text(0)} in {self.text(d)}",
                lambda: f"{self.text(0)} in {self.texts(d)}",
                lambda: f"{self.int(0)} not in {self.ints(d)}",
                lambda: f"{self.text(0)} in {self.use('prices')}",
                lambda: f"(not {self.bool(d)})",
                lambda: f"({self.bool(d)} and {self.bool(d)})",
                lambda: f"({self.bool(d)} or {self.bool(d)})",
                lambda: f"{self.any(0)} is {self.pick(['string', 'number', 'none', 'defined', 'boolean', 'integer', 'float', 'mapping', 'sequence', 'iterable', 'undefined', 'true', 'false'])}",
                lambda: f"{self.any(0)} is not {self.pick(['string', 'number', 'mapping', 'integer'])}",
                lambda: f"{self.int(0)} is {self.pick(['odd', 'even'])}",
                lambda: f"{self.int(0)} is divisibleby({self.rng.randint(1, 4)})",
                lambda: f"{self.text(0)} is {self.pick(['lower', 'upper'])}",
                lambda: f"{self.int(0)} is {self.pick(['eq', 'ne', 'gt', 'ge', 'lt', 'le', 'equalto', 'greaterthan', 'lessthan'])}({self.int(0)})",
                lambda: f"{self.text(0)} is in({self.texts(0)})",
                lambda: f"{self.text(0)} == {self.use('nick')}",
                lambda: f"{self.use('nick')} is none",
                lambda: f"{self.use('nick')} is not none",
                lambda: f"{self.use('data')}.missing is defined",
                lambda: f"{self.use('data')}.name is defined",
                lambda: f"{self.atom_text()}.startswith({self.string()})",
                lambda: f"{self.atom_text()}.endswith(('a', 'x'))",
                lambda: f"{self.texts(0)} == {self.texts(0)}",
            ]
        )()

    def order(self):
        return self.pick(["==", "!=", "<", "<=", ">", ">="])

    def texts(self, depth):
        if depth <= 0 or self.chance(0.3):
            return self.pick([lambda: self.use(self.pick(self.known("texts"))), lambda: f"[{self.text(0)}, {self.text(0)}]"])()
        d = depth - 1
        return self.pick(
            [
                lambda: f"{self.texts(d)} | sort",
                lambda: f"{self.texts(d)} | sort(reverse=true)",
                lambda: f"{self.texts(d)} | sort(true, true)",
                lambda: f"{self.texts(d)} | unique(case_sensitive=true) | list",
                lambda: f"{self.texts(d)} | map('truncate', 4, true, '') | list",
                lambda: f"{self.texts(d)} | map('title') | map('trim') | list",
                lambda: f"{self.ints(d)} | map('string') | list",
                lambda: f"{self.ints(d)} | batch(2, 0) | map('join', '-') | list",
                lambda: f"{self.use('people')} | sort(attribute='age,name') | map(attribute='name') | list",
                lambda: f"{self.use('people')} | selectattr('name', 'in', ['bo', 'Ada']) | map(attribute='name') | list",
                lambda: f"{self.use('people')} | rejectattr('age', 'odd') | map(attribute='name') | list",
                lambda: f"{self.texts(d)} | sort(case_sensitive=true)",
                lambda: f"{self.texts(d)} | unique | list",
                lambda: f"{self.texts(d)} | reverse | list",
                lambda: f"{self.texts(d)} | map('upper') | list",
                lambda: f"{self.texts(d)} | map('replace', 'a', 'b') | list",
                lambda: f"{self.texts(d)} | select | list",
                lambda: f"{self.texts(d)} | reject('eq', 'a') | list",
                lambda: f"{self.texts(d)} | select('in', ['a', 'b', 'Hello']) | list",
                lambda: f"({self.texts(d)} + {self.texts(d)})",
                lambda: f"{self.use('tags')}[{self.bound()}:{self.bound()}]",
                lambda: self.atom_text() + self.pick([".split()", ".split(',')", ".split(' ')"]),
                lambda: f"{self.atom_text()}.splitlines()",
                lambda: f"{self.use('people')} | map(attribute='name') | list",
                lambda: f"{self.use('people')} | selectattr('age', 'gt', {self.int(0)}) | map(attribute='name') | list",
                lambda: f"{self.use('people')} | rejectattr('tall') | map(attribute='name') | list",
                lambda: f"{self.use('people')} | sort(attribute='age') | map(attribute='name') | list",
                lambda: f"{self.use('people')} | sort(attribute='name', reverse=true) | map(attribute='name') | list",
                lambda: f"{self.use('people')} | unique(attribute='age') | map(attribute='name') | list",
                lambda: f"{self.use('prices')} | list",
                lambda: f"{self.use('prices')}.keys() | list",
                lambda: f"{self.atom_text()} | list",
            ]
        )()

    def ints(self, depth):
        if depth <= 0 or self.chance(0.3):
            return self.pick([lambda: self.use(self.pick(self.known("ints"))), lambda: f"[{self.int(0)}, {self.int(0)}, {self.int(0)}]"])()
        d = depth - 1
        return self.pick(
            [
                lambda: f"range({self.rng.randint(0, 5)}) | list",
                lambda: f"range({self.rng.randint(0, 3)}, {self.rng.randint(2, 9)}, {self.rng.randint(1, 3)}) | list",
                lambda: f"{self.ints(d)} | sort",
                lambda: f"{self.ints(d)} | sort(reverse=true)",
                lambda: f"{self.ints(d)} | unique | list",
                lambda: f"{self.ints(d)} | reverse | list",
                lambda: f"{self.ints(d)} | select('odd') | list",
                lambda: f"{self.ints(d)} | select('>', {self.int(0)}) | list",
                lambda: f"{self.texts(d)} | map('wordcount') | list",
                lambda: f"{self.ints(d)} | batch({self.rng.randint(1, 3)}) | map('sum') | list",
                lambda: f"{self.ints(d)} | reject('gt', 3) | list",
                lambda: f"{self.ints(d)} | select('divisibleby', 2) | list",
                lambda: f"{self.texts(d)} | map('length') | list",
                lambda: f"{self.use('people')} | map(attribute='age') | list",
                lambda: f"{self.use('prices')}.values() | list",
                lambda: f"{self.use('sizes')}[{self.bound()}:]",
                lambda: f"({self.ints(d)} + {self.ints(0)})",
            ]
        )()

    def plain_list(self, depth):
        return self.pick([self.texts, self.ints])(depth)

    def any_sized(self, depth):
        return self.pick([self.text, self.texts, self.ints, lambda _: self.use("people"), lambda _: self.use("prices"), lambda _: self.use("data")])(depth)

    def any(self, depth):
        return self.pick(
            [
                self.text,
                self.int,
                self.float,
                self.bracketed_bool,
                self.texts,
                self.ints,
                lambda _: self.use("prices"),
                lambda _: self.use(self.pick(["data", "data.name", "data.list", "data.inner.n"])),
                lambda _: self.pick(["none", "[]", "{}", "(1, 'a')", "{'k': [1, none], 'b': true}", "(1,)", "()"]),
                lambda d: f"{self.plain_list(d)} | batch(2) | list",
                lambda d: f"{self.plain_list(d)} | batch(2, 'x') | list",
                lambda d: f"{self.plain_list(d)} | slice(2) | list",
                lambda _: f"{self.use('prices')} | dictsort",
                lambda _: f"{self.use('prices')} | dictsort(by='value', reverse=true)",
                lambda _: f"{self.use('prices')} | items | list",
            ]
        )(depth)

    def bracketed_bool(self, depth):
        return f"({self.bool(depth)})"

    # Tags.

    def open(self):
        return self.pick(["{% ", "{% ", "{% ", "{%", "{%- ", "{%+ "])

    def close(self):
        return self.pick([" %}", " %}", " %}", "%}", " -%}", " +%}"])

    def tag(self, words):
        return self.open() + words + self.close()

    def slot(self, expr):
        return self.pick(["{{ ", "{{ ", "{{", "{{- "]) + expr + self.pick([" }}", " }}", " }}", " -}}"])

    # Statements.

    def scope(self, bindings, body):
        """The text of a body that sees the bindings; those that it does not use are shown at its end."""
        self.scopes.append({name: (kind, False) for name, kind in bindings})
        text = body()
        for name, (kind, used) in self.scopes[-1].items():
            if not used and kind != "macro":
                text += self.slot(self.shown(name, kind))
        self.scopes.pop()
        return text

    def shown(self, name, kind):
        return f"{name}.name" if kind == "person" else f"{name} | length" if kind == "people" else name

    def block(self, depth, size):
        return "".join(self.statement(depth) for _ in range(self.rng.randint(1, size)))

    def statement(self, depth):
        simple = [
            lambda: self.pick(TEXTS),
            lambda: self.pick(TEXTS),
            lambda: self.slot(self.any(2)),
            lambda: self.slot(self.text(2)),
            lambda: self.slot(self.text(3)),
            lambda: self.slot(self.number(2)),
            lambda: self.slot(self.bool(2)),
            self.comment,
            self.raw,
        ]
        if depth <= 0:
            return self.pick(simple)()
        blocks = [self.condition, self.condition, self.option, self.loop, self.loop, self.loop, self.set, self.set_two, self.set_block, self.neighbour, self.set_in_condition, self.with_block, self.macro, self.filter_block]
        if self.chance(0.5):
            return self.pick(simple)()
        return self.pick(blocks)(depth - 1)

    def comment(self):
        return self.pick(["{# note #}", "{#- note -#}", "{# a\nb #}", "{# {{ x }} #}\n"])

    def raw(self):
        return self.tag("raw") + self.pick(["{{ not }}", "{% if %}", "\nx {# y #}\n"]) + self.tag("endraw")

    def condition(self, depth):
        text = self.tag(f"if {self.bool(2)}") + self.branch(depth)
        while self.chance(0.3):
            text += self.tag(f"elif {self.pick([self.bool, self.text, self.texts, self.int])(1)}") + self.branch(depth)
        if self.chance(0.5):
            text += self.tag("else") + self.branch(depth)
        return text + self.tag("endif")

    def branch(self, depth):
        return self.block(depth, 2)

    def option(self, depth):
        self.used.add("nick")
        inside = lambda: self.scope([("nick", "text")], lambda: self.block(depth, 2))
        form = self.rng.randrange(5)
        if form == 0:
            return self.tag("if nick") + inside() + self.tag("endif")
        if form == 1:
            return self.tag("if nick is not none") + inside() + self.tag("else") + self.branch(depth) + self.tag("endif")
        if form == 2:
            return self.tag("if not nick") + self.branch(depth) + self.tag("else") + inside() + self.tag("endif")
        if form == 3:
            return self.tag(f"if nick and {self.bool(1)}") + inside() + self.tag("endif")
        return self.slot(f"nick if nick else {self.string()}")

    def beside(self):
        return self.pick(["loop.previtem", "loop.nextitem"])

    def neighbour(self, depth):
        """The item beside, where there is one."""
        if not self.loops or not self.item:
            return self.slot(self.text(depth))
        item = self.beside()
        shown = item + (self.pick([".name", ".age", ".name | upper"]) if self.item == "person" else "")
        head = self.tag(f"if {item} is defined" + (f" and {self.bool(1)}" if self.chance(0.3) else ""))
        return head + self.slot(shown) + self.branch(depth) + self.tag("else") + self.branch(depth) + self.tag("endif")

    def loop(self, depth):
        form = self.rng.randrange(7)
        if form == 6:
            bindings, head = [(self.fresh("r"), "ints")], self.pick(["sizes | batch(2)", "sizes | batch(3, 0)", "sizes | slice(2)", "sizes | batch(2) | reverse"])
            self.used.add("sizes")
        elif form == 0:
            bindings, head = [(self.fresh("p"), "person")], self.pick(["people", "people | sort(attribute='age')", "people | selectattr('tall')", "people | reverse", "people[1:]", "people | rejectattr('name', 'eq', 'Bo') | sort(attribute='name')"])
            self.used.add("people")
        elif form == 1:
            bindings, head = [(self.fresh("k"), "text"), (self.fresh("v"), "int")], self.pick(["prices.items()", "prices | dictsort", "prices | items", "prices | dictsort(by='value')", "prices | dictsort(false, 'key', true)"])
            self.used.add("prices")
        elif form == 2:
            bindings, head = [(self.fresh("g"), "int"), (self.fresh("them"), "people")], "people | groupby('age')"
            self.used.add("people")
        elif form == 3:
            bindings, head = [(self.fresh("n"), "int")], self.ints(1)
        else:
            bindings, head = [(self.fresh("t"), "text")], self.texts(1)
        names = ", ".join(name for name, _ in bindings)
        loops, self.loops = self.loops, 0
        item, self.item = self.item, None
        text = f"for {names} in {head}"
        kinds = dict(bindings)
        tail = ""

        def body():
            nonlocal tail
            if self.chance(0.3) and len(bindings) == 1:
                tail = f" if {self.filter_of(*bindings[0])}"
            self.loops = 1
            self.item = bindings[0][1] if len(bindings) == 1 else None
            return self.block(depth, 3)

        inner = self.scope(bindings, body)
        self.loops, self.item = loops, item
        text = self.tag(text + tail) + inner
        if self.chance(0.3):
            text += self.tag("else") + self.block(depth, 1)
        return text + self.tag("endfor")

    def filter_of(self, name, kind):
        self.use(name)
        if kind == "person":
            return self.pick([f"{name}.age > 3", f"{name}.tall", f"'o' in {name}.name"])
        if kind == "ints":
            return self.pick([f"{name} | length > 1", f"3 in {name}"])
        if kind == "int":
            return self.pick([f"{name} is odd", f"{name} > 2", name])
        return self.pick([name, f"{name} != 'a'", f"'e' in {name}"])

    def bound_after(self, head, name, kind, depth):
        """A name, and what follows it in the same block."""
        self.scopes.append({name: (kind, False)})
        text = self.block(depth, 2)
        if not self.scopes[-1][name][1]:
            text += self.slot(self.shown(name, kind))
        # It ends with the block around, where the other statements do not use it.
        self.scopes.pop()
        return head + text

    def valued(self, depth):
        kind, make = self.pick([("text", self.text), ("int", self.int), ("texts", self.texts), ("ints", self.ints), ("float", self.float), ("bool", self.bool)])
        return kind, make(depth)

    def set(self, depth):
        name = self.fresh("s")
        kind, value = self.valued(2)
        return self.bound_after(self.tag(f"set {name} = {value}"), name, kind, depth)

    def set_two(self, depth):
        one, two = self.fresh("s"), self.fresh("s")
        (a, first), (b, second) = self.valued(1), self.valued(1)
        head = self.tag(f"set {one}, {two} = {self.pick(['{}, {}', '({}, {})', '[{}, {}]']).format(f'({first})', f'({second})')}")
        return self.bound_after(head + self.slot(one), two, b, depth)

    def set_block(self, depth):
        name = self.fresh("s")
        filters = self.pick(["", "", " | upper", " | trim", " | replace('a', 'b') | lower"])
        body = self.scope([], lambda: self.block(depth, 2))
        return self.bound_after(self.tag(f"set {name}{filters}") + body + self.tag("endset"), name, "text", depth)

    def set_in_condition(self, depth):
        name = self.fresh("s")
        kind, value = self.pick([("text", self.text), ("int", self.int), ("texts", self.texts)])
        make = value
        head = self.tag(f"set {name} = {make(1)}") + self.tag(f"if {self.bool(1)}") + self.tag(f"set {name} = {make(1)}")
        if self.chance(0.4):
            head += self.tag("else") + self.tag(f"set {name} = {make(1)}")
        head += self.tag("endif")
        return self.bound_after(head, name, kind, depth)

    def with_block(self, depth):
        first, second = self.fresh("w"), self.fresh("w")
        (a, one), (b, two) = self.valued(1), self.valued(1)
        loops = self.loops
        body = self.scope([(first, a), (second, b)], lambda: self.block(depth, 2))
        self.loops = loops
        return self.tag(f"with {first} = {one}, {second} = {two}") + body + self.tag("endwith")

    def macro(self, depth):
        name, param, other = self.fresh("m"), self.fresh("q"), self.fresh("q")
        kind = self.pick(["text", "int", "texts", "ints", "float", "bool"])
        scopes, loops, item = self.scopes, self.loops, self.item
        # A macro sees its parameters and the fields, and is called more than once.
        self.scopes, self.loops, self.item = [], 0, None
        default = self.valued_of(kind, 0)
        body = self.scope([(param, "text"), (other, kind)], lambda: self.block(depth, 2))
        self.scopes, self.loops, self.item = scopes, loops, item
        text = self.tag(f"macro {name}({param}, {other}={default})") + body + self.tag("endmacro")
        text += self.slot(f"{name}({self.text(1)})")
        if self.chance(0.6):
            text += self.slot(self.called(name, param, other, kind))
        return text

    def called(self, name, param, other, kind):
        form = self.rng.randrange(3)
        if form == 0:
            return f"{name}({self.text(0)}, {self.valued_of(kind, 1)})"
        if form == 1:
            return f"{name}({self.text(0)}, {other}={self.valued_of(kind, 0)}) | upper"
        return f"{name}({param}={self.text(0)})"

    def valued_of(self, kind, depth):
        return {"text": self.text, "int": self.int, "texts": self.texts, "ints": self.ints, "float": self.float, "bool": self.bool}[kind](depth)

    def filter_block(self, depth):
        name = self.pick(["upper", "lower", "trim", "title", "indent(2)", "replace('a', 'o')", "trim | upper", "wordcount | string"])
        body = self.scope([], lambda: self.block(depth, 2))
        return self.tag(f"filter {name}") + body + self.tag("endfilter")


def values(rng):
    """One value for each field."""
    word = lambda: rng.choice(WORDS)
    person = lambda: {"name": rng.choice(["Ada", "bo", "Bo", "Él", "zoe"]), "age": rng.randint(0, 9), "tall": rng.random() < 0.5}
    return {
        "title": word(),
        "note": word(),
        "count": rng.randint(-5, 20),
        "age": rng.randint(0, 99),
        "score": rng.choice([0.0, 1.0, -2.5, 0.1, 1e20, 1e-7, 3.14159, 2.5, 1234567.0]),
        "done": rng.random() < 0.5,
        "nick": rng.choice([None, word(), "Nick"]),
        "tags": [word() for _ in range(rng.randint(0, 4))],
        "sizes": [rng.randint(-3, 9) for _ in range(rng.randint(0, 5))],
        "people": [person() for _ in range(rng.randint(0, 4))],
        "owner": person(),
        "prices": {key: rng.randint(0, 9) for key in sorted(rng.sample(["tea", "salt", "Zest", "b"], rng.randint(0, 3)))},
        "data": {"inner": {"n": rng.choice([1, 2.5, None, True])}, "list": [1, "a", None], "name": word()},
    }


def cooked(text):
    """A string literal of Rust with escapes."""
    out = []
    for char in text:
        if char in '"\\':
            out.append("\\" + char)
        elif char == "\n":
            out.append("\\n")
        elif ord(char) < 32 or ord(char) == 127:
            out.append(f"\\u{{{ord(char):x}}}")
        else:
            out.append(char)
    return '"' + "".join(out) + '"'


def raw(text):
    hashes = "#"
    while '"' + hashes in text:
        hashes += "#"
    return f'r{hashes}"{text}"{hashes}'


def rust(value, ty):
    """A value as a Rust expression."""
    if ty == "&'static str":
        return cooked(value)
    if ty == "String":
        return cooked(value) + ".to_string()"
    if ty in ("i64", "u8"):
        return str(value)
    if ty == "f64":
        return repr(value) + "_f64"
    if ty == "bool":
        return "true" if value else "false"
    if ty == "Option<String>":
        return "None" if value is None else f"Some({cooked(value)}.to_string())"
    if ty == "Vec<String>":
        return "vec![" + ", ".join(rust(item, "String") for item in value) + "]"
    if ty == "&'static [i64]":
        return "&[" + ", ".join(map(str, value)) + "]"
    if ty == "Person":
        return f"Person {{ name: {rust(value['name'], 'String')}, age: {value['age']}, tall: {rust(value['tall'], 'bool')} }}"
    if ty == "Vec<Person>":
        return "vec![" + ", ".join(rust(item, "Person") for item in value) + "]"
    if ty == "BTreeMap<String, i64>":
        return "BTreeMap::from([" + ", ".join(f"({rust(key, 'String')}, {number})" for key, number in value.items()) + "])"
    if ty == "serde_json::Value":
        return f"serde_json::from_str({cooked(json.dumps(value))}).unwrap()"
    raise ValueError(ty)


class Item:
    """A struct of Rust: what a template sees of it are its fields."""

    def __init__(self, fields):
        self.__dict__.update(fields)


def seen(value):
    """The value as Jinja2 gets it."""
    if isinstance(value, dict) and "tall" in value:
        return Item(value)
    if isinstance(value, list):
        return [seen(item) for item in value]
    return value


class Shown(Exception):
    """Python prints what is not there, as `Undefined` in a list: no prompt does, and a filter would change the word."""


class NotThere(jinja2.StrictUndefined):
    def __repr__(self):
        raise Shown


def case(index, rng, folder):
    while True:
        maker = Maker(rng)
        maker.scopes = []
        template = maker.block(3, 6)
        options = {"trim_blocks": rng.random() < 0.4, "lstrip_blocks": rng.random() < 0.4, "keep_trailing_newline": rng.random() < 0.5}
        if not template.strip() or len(template) > 1500:
            continue
        environment = jinja2.Environment(undefined=NotThere, **options)
        given = values(rng)
        names = [name for name in FIELDS if name in maker.used]
        try:
            compiled = environment.from_string(template)
        except jinja2.TemplateSyntaxError:
            # A `{` right before a tag, and the like.
            continue
        # What only a branch that is not taken asks for may be missing: the template is kept, Jinja2 says what comes out.
        try:
            expected = compiled.render({name: seen(given[name]) for name in names})
        except Shown:
            continue
        except Exception as error:  # Whatever Python raises is a refusal.
            expected = None
            if "not iterable" in str(error) or rng.random() < 0.5:
                continue
        # What Python prints of its own objects no prompt shows.
        if expected is not None and "object at 0x" in expected.lower():
            continue
        break
    keys = "".join(f", {key} = {str(value).lower()}" for key, value in options.items() if value)
    form = rng.randrange(4)
    if form == 0 and "\r" not in template:
        name = f"cases/files/{index}.jinja"
        (folder / "files" / f"{index}.jinja").write_text(template, encoding="utf-8", newline="")
        source = f"file = {cooked(name)}"
    elif form == 1:
        source = f"user = {raw(template)}"
    else:
        source = f"user = {cooked(template)}"
    fields = "".join(f"    {name}: {FIELDS[name][1]},\n" for name in names)
    filled = ", ".join(f"{name}: {rust(given[name], FIELDS[name][1])}" for name in names)
    wanted = "None" if expected is None else f"Some({cooked(expected)})"
    return f"""#[derive(Prompt)]
#[prompt(syntax = "jinja"{keys}, {source})]
struct Case{index} {{
{fields}}}

#[test]
fn case_{index}() {{
    check({cooked(template)}, &Case{index} {{ {filled} }}, {wanted});
}}

"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2000)
    arguments = parser.parse_args()
    if jinja2.__version__ != "3.1.6":
        raise SystemExit(f"jinja2 3.1.6 is needed, and this is {jinja2.__version__}")
    shutil.rmtree(arguments.folder, ignore_errors=True)
    (arguments.folder / "files").mkdir(parents=True)
    for part in range(PARTS):
        text = '#[path = "../src/check.rs"]\nmod check;\n\nuse check::*;\n\n'
        for index in range(part, arguments.count, PARTS):
            text += case(index, random.Random(f"{arguments.seed}/{index}"), arguments.folder)
        (arguments.folder / f"part_{part}.rs").write_text(text, encoding="utf-8", newline="")


main()
