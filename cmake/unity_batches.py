#!/usr/bin/env python3
"""Says which files are compiled together: cmake/unity_batches.py SIZE FILE...

Prints a line "BATCH FILE" for each file. Files that are compiled as one share their unnamed namespaces, so a batch holds no
two files of which one mentions what the other keeps for itself: then a name in an unnamed namespace needs to be unique in its
own file only. Files stay in the given order where they can, because neighbours include the same headers.

This is no compiler: it takes more for a clash than is one, and a file that it cannot place costs a batch of its own.
"""
import functools
import os
import re
import sys
from dataclasses import dataclass, field

LITERAL = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![\w])'(?:\\.|[^'\\\n])+'", re.S)
TOKEN = re.compile(r'[A-Za-z_]\w*|\d[\w.\']*|::|->|\[\[|\]\]|[^\s\w]')
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NAME = re.compile(r'[A-Za-z_]\w*$')
DIRECTIVE = re.compile(r'^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.M)


@dataclass
class File:
    """What a source keeps for itself, and what it mentions."""
    path: str
    spaces: set = field(default_factory=set)  # namespaces that it opens: "warpbook::lab"
    private: dict = field(default_factory=dict)  # name -> {(namespace, declaration)}
    mentions: set = field(default_factory=set)  # names that it uses without saying whose they are
    headers: frozenset = frozenset()  # of ours, that it includes, and those that they include
    alone: bool = False


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
    """The names that a header of ours mentions, and the headers that it includes itself. Nothing for others' headers."""
    try:
        with open(os.path.join(ROOT, name), encoding='utf-8') as stream:
            text = stream.read()
    except OSError:
        return frozenset(), ()
    tokens = TOKEN.findall(LITERAL.sub(blank, INCLUDE.sub('', text)))
    return frozenset(mentioned(tokens)), tuple(INCLUDE.findall(text))


def headers_of(text):
    """All headers that a text includes, directly or through others."""
    reached, waiting = set(), INCLUDE.findall(text)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(header(name)[1])
    return frozenset(reached)


def mentioned(tokens):
    return {t for i, t in enumerate(tokens) if NAME.match(t) and (i == 0 or tokens[i - 1] not in ('.', '->', '::'))}


def read(path):
    """What is private to a source, by the declarations in its unnamed namespaces, its statics and its macros."""
    if not os.path.exists(path):  # a build step writes it later
        return File(path, alone=True)
    with open(path, encoding='utf-8') as stream:
        text = stream.read()
    file = File(path, headers=headers_of(text))
    text = LITERAL.sub(blank, text)
    undefined = set(re.findall(r'#\s*undef\s+(\w+)', text))
    for name in re.findall(r'#\s*define\s+(\w+)', text):
        if name not in undefined:
            file.private.setdefault(name, set()).add(('', '#define'))
    file.mentions.update(re.findall(r'[A-Za-z_]\w*', ' '.join(
        line for line in DIRECTIVE.findall(text) if 'include' not in line)))
    tokens = TOKEN.findall(DIRECTIVE.sub('', text))
    file.mentions |= mentioned(tokens)

    scopes = []  # of the open namespaces: a name, or '' for an unnamed one
    declaration, i = [], 0
    while i < len(tokens):
        token = tokens[i]
        space = '::'.join(s for s in scopes if s)
        private = '' in scopes or 'static' in declaration

        def keep(names):
            for name in names:
                file.private.setdefault(name, set()).add((space, ' '.join(declaration)))

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
            if private:
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
                # It would open that namespace to the files behind it; a namespace of the file's own keeps it in.
                file.alone |= 'std' not in declaration and (not scopes or space.count('::') < 2)
            elif private or declaration[:1] in (['using'], ['namespace']):
                keep(declared(declaration))
            declaration = []
        else:
            declaration.append(token)
        i += 1
    file.mentions.discard('static')
    return file


def within(inner, outer):
    return not outer or inner == outer or inner.startswith(outer + '::')


def mentions_private(one, other):
    """Whether `other` mentions a name that `one` keeps for itself, in a namespace where it would see it."""
    # A header that only the other includes stands behind what `one` declares, if `one` comes first.
    new = frozenset().union(*(header(name)[0] for name in other.headers - one.headers))
    for name in one.private.keys() & (other.mentions | new):
        for space, text in one.private[name]:
            # The same alias twice is one alias.
            same = (space, text) in other.private.get(name, ()) and text.split(' ')[0] in ('using', 'namespace')
            if not same and (not space or any(within(s, space) for s in other.spaces)):
                return True
    return False


def batches(files, size):
    result = []
    for file in files:
        for batch in result:
            fits = len(batch) < size and not file.alone and not batch[0].alone
            if fits and not any(mentions_private(a, file) or mentions_private(file, a) for a in batch):
                batch.append(file)
                break
        else:
            result.append([file])
    return result


def main():
    size, paths = int(sys.argv[1]), sys.argv[2:]
    for number, batch in enumerate(batches([read(path) for path in paths], size)):
        for file in batch:
            print(f'{number} {file.path}')


if __name__ == '__main__':
    main()
