"""pliant completion SHELL: what a shell completes after `pliant`.

The script asks ``pliant completion words -- WORDS`` at every tab: WORDS are those after `pliant` up
to the cursor, the last one being typed; bash, which takes words apart at = and :, asks for a
``line``. Nothing printed means: names of files.
"""

from __future__ import annotations

import argparse
import contextlib
import shlex
from collections.abc import Iterable, Sequence
from typing import Any

from pliant.cli.help import takes, words_of, words_of_model
from pliant.errors import InputError, PliantError
from pliant.model.frozen import did_you_mean

_BASH = """\
_pliant() {
    local line=${COMP_LINE:0:COMP_POINT} IFS=$'\\n' word
    local current=${line##*[[:space:]]}
    local -a found=($(pliant completion line -- "$line" 2>/dev/null))
    # bash replaces what stands after the last of its own word breaks (= and :)
    local kept=${current%"${current##*[=:]}"}
    COMPREPLY=()
    for word in "${found[@]}"; do COMPREPLY+=("${word#"$kept"}"); done
    [[ ${#found[@]} == 1 && ${found[0]} == *= ]] && compopt -o nospace
}
complete -o default -F _pliant pliant
"""
_ZSH = """\
#compdef pliant
_pliant() {
    local -a found
    found=("${(@f)$(pliant completion words -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -z "${found[1]}" ]]; then _files; return; fi
    compadd -Q -S '' -- "${(@M)found:#*=}"
    compadd -Q -- "${(@)found:#*=}"
}
compdef _pliant pliant
"""
_FISH = """\
function __pliant_words
    set -l words (commandline -opc)
    set -l found (pliant completion words -- $words[2..-1] (commandline -ct) 2>/dev/null)
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path (string unescape -- (commandline -ct))
    end
end
complete -c pliant -f -a '(__pliant_words)'
"""
_SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}
_ASKED = ("words", "line")
"""What the scripts ask for."""


def add_to(commands: Any) -> None:
    """Register the command."""
    c = commands.add_parser(
        "completion", help="what bash, zsh or fish complete after `pliant`",
        description="Print a script that completes commands, options, files, what options take, "
        "parameters after --set and observables after --observe.",
        examples=("bash >> ~/.bashrc", "fish > ~/.config/fish/completions/pliant.fish"),
    )  # fmt: skip
    takes(c.add_argument("shell", metavar="SHELL", help="whose"), lambda: _SCRIPTS)
    c.add_argument("line", nargs="*", default=[], metavar="WORD", help=argparse.SUPPRESS)
    c.set_defaults(action=completion)


def completion(options: argparse.Namespace) -> int:
    """Print a script, or what a word may become."""
    if options.shell in _SCRIPTS:
        print(_SCRIPTS[options.shell], end="")
        return 0
    if options.shell not in _ASKED:
        cure = did_you_mean(options.shell, _SCRIPTS)
        raise InputError(f"completion: unknown shell '{options.shell}'", cure)
    line = options.line if options.shell == "words" else words_in("".join(options.line))
    for word in completed(line):
        print(word)
    return 0


def words_in(line: str) -> list[str]:
    """Words after the first one of a line, as a shell reads them; a quote may still be open."""
    for end in ("", "'", '"'):
        with contextlib.suppress(ValueError):
            words = shlex.split(line + end)
            begun = line[-1:].isspace() and not end and not line.endswith("\\ ")
            return [*words[1:], *([""] if begun or len(words) == 1 else [])]
    return []


def completed(line: Sequence[str]) -> list[str]:
    """What the last word of a line may become; none: the name of a file."""
    from pliant.cli.main import COMMANDS, parser

    *before, word = line or ("",)
    if not before:
        return _beginning(word, (*COMMANDS, "--help", "--version"))
    if before[0] not in COMMANDS:
        return []
    command = _parser_of(parser([before[0]]))
    options = {flag: action for action in command._actions for flag in action.option_strings}
    asked = options.get(before[-1])
    if asked is not None and asked.nargs is None and not _is_flag(asked):
        return _values(asked, word, _model(command, before[1:]))
    if word.startswith("-"):
        return _beginning(word, options)
    places = [a for a in command._actions if not a.option_strings]
    model = _model(command, before[1:])
    return [w for place in places for w in _values(place, word, model)]


def _parser_of(top: argparse.ArgumentParser) -> argparse.ArgumentParser:
    (commands,) = (a for a in top._actions if isinstance(a.choices, dict))
    assert isinstance(commands.choices, dict)
    found: argparse.ArgumentParser = next(iter(commands.choices.values()))
    return found


def _is_flag(action: argparse.Action) -> bool:
    return action.const is not None or isinstance(action, argparse._HelpAction)


def _values(action: argparse.Action, word: str, model: str | None) -> list[str]:
    """What an argument takes; names with commas are completed one after the other."""
    known, of_model = words_of(action), words_of_model(action)
    if known is not None:
        return _beginning(word, known())
    if action.choices is not None:
        return _beginning(word, map(str, action.choices))
    if of_model is None or model is None:
        return []
    from pliant.system import System

    with contextlib.suppress(PliantError, OSError):
        names = list(of_model(System.load(model)))
        head, comma, last = word.rpartition(",")
        return [f"{head}{comma}{name}" for name in _beginning(last, names)]
    return []


def _model(command: argparse.ArgumentParser, words: Sequence[str]) -> str | None:
    """The model among the words of a command: the first that is neither an option nor its value."""
    taking = {flag for action in command._actions if not _is_flag(action)
              for flag in action.option_strings}  # fmt: skip
    after = ("", *words)
    return next((w for w, last in zip(words, after, strict=False)
                 if not w.startswith("-") and last not in taking), None)  # fmt: skip


def _beginning(word: str, known: Iterable[str]) -> list[str]:
    return [name for name in known if name.startswith(word)]
