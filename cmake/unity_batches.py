#!/usr/bin/env python3
"""Writes the files that are compiled together: cmake/unity_batches.py SIZE FOLDER FILE...

Each batch is a source FOLDER/batch_N.cpp that includes some of the files, and a line "N FILE" is printed for each of those. A file that
a build step writes later is in none.

Files that are compiled as one share their unnamed namespaces. So all their headers stand at the top of the batch, and where one file
mentions what another keeps for itself, a macro gives that name an ending of its own while its owner is read ("row_of" is
"row_of_in_7" there). Where that could change another name, the two go into different batches. So a name in an unnamed namespace
needs to be unique in its own file only. Files stay in the given order where they can, because neighbours include the same headers.

This is no compiler: it takes more for a clash than is one, and a file that it cannot place costs a batch of its own.
"""
import functools
import os
import re
import sys
from collections import defaultdict
from dataclasses import dataclass, field

LITERAL = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![\w])'(?:\\.|[^'\\\n])+'", re.S)
TOKEN = re.compile(r'[A-Za-z_]\w*|\d[\w.\']*|::|->|\[\[|\]\]|[^\s\w]')
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NAME = re.compile(r'[A-Za-z_]\w*$')
WORD = re.compile(r'[A-Za-z_]\w*')
LEADING = re.compile(r'\s*(?://[^\n]*\n\s*)*#[ \t]*include[ \t]*([<"][^>"\n]+[>"])[^\n]*\n')
DIRECTIVE = re.compile(r'^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.M)


@dataclass
class File:
    """What a file declares, what it keeps for itself, and what it mentions."""
    path: str
    spaces: set = field(default_factory=set)  # namespaces that it opens: "warpbook::lab"
    declares: dict = field(default_factory=lambda: defaultdict(set))  # name -> {namespace}
    private: dict = field(default_factory=lambda: defaultdict(set))  # name -> {(namespace, declaration)}
    uses: set = field(default_factory=set)  # namespaces whose names it takes as its own: "using namespace"
    mentions: set = field(default_factory=set)  # names that it uses without saying whose they are
    qualified: set = field(default_factory=set)  # names that it uses of something: behind ".", "->" or "::"
    headers: frozenset = frozenset()  # of ours, that it includes, and those that they include
    leading: tuple = ()  # the includes at its top, of anybody's headers


def blank(match):
    """A comment or a literal becomes as many empty lines; a literal still counts as a value."""
    text = match.group()
    return '\n' * text.count('\n') + (' ' if text[0] == '/' else ' 0 ')


def without_templates(tokens):
    """The declaration without template<...>, [[...]] and alignas(...)."""
    result, i = [], 0
    while i < len(tokens):
        if tokens[i] == 'template' and tokens[i + 1:i + 2] == ['<']:
            depth, i = 1, i + 2
            while i < len(tokens) and depth:
                depth += {'<': 1, '>': -1}.get(tokens[i], 0)
                i += 1
        elif tokens[i] == '[[':
            while i < len(tokens) and tokens[i] != ']]':
                i += 1
            i += 1
        elif tokens[i] in ('alignas', 'requires') and tokens[i + 1:i + 2] == ['(']:
            depth, i = 1, i + 2
            while i < len(tokens) and depth:
                depth += {'(': 1, ')': -1}.get(tokens[i], 0)
                i += 1
        else:
            result.append(tokens[i])
            i += 1
    return result


def declared(tokens):
    """The names that a declaration at namespace scope declares; tokens end before its ; or its {."""
    tokens = without_templates(tokens)
    words = [t for t in tokens if t not in ('static', 'inline', 'constexpr', 'const', 'extern')]
    if not words or words[0] in ('static_assert', 'friend', 'asm', 'public', 'private'):
        return []
    if words[0] == 'using':
        return words[1:2] if '=' in words else [words[-1]] if NAME.match(words[-1]) else []
    if words[0] == 'typedef':
        return [words[-1]]
    if words[0] == 'namespace':
        return words[1:2]
    if words[0] in ('struct', 'class', 'union', 'enum') and '(' not in words and '=' not in words:
        rest = [t for t in words[1:] if t not in ('struct', 'class')]
        return rest[:1] if rest and NAME.match(rest[0]) else []
    names, depth, angles, variable = [], 0, 0, False
    for i, token in enumerate(words + [';']):
        before = words[i - 1] if i else ''
        ends = token in (';', '=', '[') or (token == '(' and not variable) or (token == ',' and variable)
        if depth == 0 and (angles == 0 or variable) and ends and NAME.match(before):
            if token == '(' and before in ('decltype', 'noexcept', 'operator'):
                if before == 'operator':
                    return names
            else:
                first = not names
                after_comma = i >= 2 and words[i - 2] == ','
                if (first or (variable and after_comma)) and (i < 2 or words[i - 2] not in ('::', '~')):
                    names.append(before)
                if token == '(':
                    return names
                variable = True
        if token in '([{':
            depth += 1
        elif token in ')]}':
            depth -= 1
        elif token == '<' and not variable:
            angles += 1
        elif token == '>' and not variable and angles:
            angles -= 1
    return names


@functools.cache
def header(name):
    """A header of ours, the words in it, and the headers that it includes itself. Nothing for others' headers."""
    try:
        with open(os.path.join(ROOT, name), encoding='utf-8') as stream:
            text = stream.read()
    except OSError:
        return File(name), frozenset(), ()
    return parsed(name, text), frozenset(WORD.findall(LITERAL.sub(blank, text))), tuple(INCLUDE.findall(text))


def headers_of(text):
    """All headers that a text includes, directly or through others."""
    reached, waiting = set(), INCLUDE.findall(text)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(header(name)[2])
    return frozenset(reached)


def leading_includes(text):
    """What stands before any macro or code, and can stand further up."""
    result, at = [], 0
    while match := LEADING.match(text, at):
        result.append(match.group(1))
        at = match.end()
    return tuple(result)


def mentioned(tokens):
    return {t for i, t in enumerate(tokens) if NAME.match(t) and (i == 0 or tokens[i - 1] not in ('.', '->', '::'))}


def read(path):
    """A source with all that it includes; None where a build step writes it later."""
    if not os.path.exists(path):
        return None
    with open(path, encoding='utf-8') as stream:
        text = stream.read()
    file = parsed(path, text)
    file.headers = headers_of(text)
    file.leading = leading_includes(text)
    return file


def parsed(path, text):
    """What a text declares and mentions. Private are the declarations in its unnamed namespaces, its statics and its macros."""
    file = File(path)
    text = LITERAL.sub(blank, text)
    undefined = set(re.findall(r'#\s*undef\s+(\w+)', text))
    for name in re.findall(r'#\s*define\s+(\w+)', text):
        file.declares[name].add('')
        if name not in undefined:
            file.private[name].add(('', '#define'))
    file.mentions.update(WORD.findall(' '.join(line for line in DIRECTIVE.findall(text) if 'include' not in line)))
    tokens = TOKEN.findall(DIRECTIVE.sub('', text))
    file.mentions |= mentioned(tokens)
    file.qualified = {t for before, t in zip(tokens, tokens[1:]) if before in ('.', '->', '::')}

    scopes = []  # of the open namespaces: a name, or '' for an unnamed one
    declaration, i = [], 0
    while i < len(tokens):
        token = tokens[i]
        space = '::'.join(s for s in scopes if s)
        private = '' in scopes or 'static' in declaration

        def keep(names):
            for name in names:
                file.declares[name].add(space)
                if private:
                    file.private[name].add((space, ' '.join(declaration)))

        opens_space = token == '{' and 'namespace' in declaration[:2] and '=' not in declaration
        if opens_space:
            start = declaration.index('namespace') + 1
            scopes.append(''.join(declaration[start:]))
            file.spaces.add('::'.join(s for s in scopes if s))
            declaration = []
        elif token == '{' and declaration == ['extern', '0']:
            declaration = []
            scopes.append('extern')
        elif token == '{':
            end, depth = i + 1, 1
            while end < len(tokens) and depth:
                depth += {'{': 1, '}': -1}.get(tokens[end], 0)
                end += 1
            keep(declared(declaration))
            if declaration[:1] == ['enum'] and declaration[1:2] not in (['class'], ['struct']):
                body = ['{'] + tokens[i + 1:end]
                keep(b for a, b in zip(body, body[1:]) if a in '{,' and NAME.match(b))
            declaration, i = [], end - 1
        elif token == '}':
            if scopes:
                scopes.pop()
            declaration = []
        elif token == ';':
            if declaration[:2] == ['using', 'namespace']:
                # A namespace of the file's own keeps to itself what it opens.
                if space.count('::') < 2:
                    file.uses.add(''.join(declaration[2:]))
            else:
                private = private or declaration[:1] in (['using'], ['namespace'])
                keep(declared(declaration))
            declaration = []
        else:
            declaration.append(token)
        i += 1
    file.mentions.discard('static')
    return file


def within(inner, outer):
    return not outer or inner == outer or inner.startswith(outer + '::')


def renamed(file, name):
    """Whether an ending can be given to all that is called `name` in a file, and to nothing else."""
    return (name in file.private and name not in file.qualified and
            not any(text == '#define' or text.startswith('using') for _, text in file.private[name]) and
            not any(name in header(h)[1] for h in file.headers))


def clashes(one, other):
    """The names that `one` keeps for itself, and that mean something else in `other` or in a header that only `other` includes."""
    headers = [header(h)[0] for h in other.headers - one.headers]
    for name, declarations in one.private.items():
        for space, text in declarations:
            # The same alias twice is one alias.
            same = (space, text) in other.private.get(name, ()) and text.split(' ')[0] in ('using', 'namespace')
            if not same and name in other.mentions and (not space or any(within(s, space) for s in other.spaces)):
                yield name
            elif any(within(s, space) or within(space, s) for h in headers for s in h.declares.get(name, ())):
                yield name


def opens(one, other):
    """Whether `one` says "using namespace" of one whose names `other` mentions and does not use itself."""
    for space in one.uses - other.uses:
        ends = re.compile(rf'(^|::){re.escape(space)}$')
        for h in one.headers:
            if any(name in other.mentions and any(ends.search(s) for s in spaces) for name, spaces in header(h)[0].declares.items()):
                return True
    return False


def endings(one, other):
    """The names that need an ending so that both can be compiled as one, {(file, name)}; None where that is not enough."""
    if opens(one, other) or opens(other, one):
        return None
    result = set()
    for a, b in ((one, other), (other, one)):
        for name in clashes(a, b):
            owner = next((f for f in (a, b) if renamed(f, name)), None)
            if owner is None:
                return None
            result.add((owner.path, name))
    return result


def batches(files, size):
    """[([file], {(path of a file, name that needs an ending)})]"""
    result = []
    for file in files:
        for batch, names in result:
            if len(batch) == size:
                continue
            new = set()
            for other in batch:
                needed = endings(other, file)
                if needed is None:
                    break
                new |= needed
            else:
                batch.append(file)
                names |= new
                break
        else:
            result.append(([file], set()))
    return result


def written(files, names):
    """The text of a batch."""
    lines = ['// Several sources as one, written by cmake/unity_batches.py']
    lines += dict.fromkeys(f'#include {name}' for file in files for name in file.leading)
    for number, file in enumerate(files):
        own = sorted(name for path, name in names if path == file.path)
        lines += [f'#define {name} {name}_in_{number}' for name in own]
        lines.append(f'#include "{file.path}"')
        lines += [f'#undef {name}' for name in own]
    return '\n'.join(lines) + '\n'


def main():
    size, folder, paths = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    os.makedirs(folder, exist_ok=True)
    files = [file for file in map(read, paths) if file]
    for number, (batch, names) in enumerate(batches(files, size)):
        target, text = os.path.join(folder, f'batch_{number}.cpp'), written(batch, names)
        if not os.path.exists(target) or open(target, encoding='utf-8').read() != text:
            with open(target, 'w', encoding='utf-8') as stream:
                stream.write(text)
        for file in batch:
            print(f'{number} {file.path}')


if __name__ == '__main__':
    main()
