"""The one string that means a compiled loss, settings and all."""

from __future__ import annotations

import re

from softwood._core import Error, LossProgram, loss_catalogue
from softwood.language.text import number_text, quoted

_NUMBER_WORDS = ("inf", "infinity", "nan")
# Columns do not depend on how many there are.
_SOME_CLASSES = 2

Setting = float | str | list[float]


def settings_of(program: LossProgram) -> dict[str, Setting]:
    """The parameters that do not have their defaults."""
    unset = program.unset_parameters
    return {
        name: value
        for name, _, value in program.parameters
        if name not in unset and value is not None
    }


def spec_text(program: LossProgram) -> str:
    """Of a loss of the catalogue its name with settings, huber(delta=2); of a file its whole text,
    with the settings written into it."""
    settings = settings_of(program)
    if any(entry.name == program.name and entry.text == program.text for entry in loss_catalogue()):
        inside = ", ".join(f"{name}={_setting_text(value)}" for name, value in settings.items())
        return f"{program.name}({inside})" if settings else program.name
    text = program.text
    for name, default, _ in program.parameters:
        if name in settings:
            text = _with_setting(text, name, default, settings[name])
    if settings and not _reads(text, program.columns):
        raise Error(
            f"{program.name}: a setting names a column that means something else in the text; "
            "rename the column"
        )
    return text


def _reads(text: str, columns: list[str]) -> bool:
    try:
        return LossProgram.compile(text, _SOME_CLASSES).columns == columns
    except Error:
        return False


def _setting_text(value: Setting) -> str:
    if isinstance(value, list):
        return f"[{', '.join(number_text(each) for each in value)}]"
    if not isinstance(value, str):
        return number_text(value)
    is_plain = value.isidentifier() and value.isascii() and value.lower() not in _NUMBER_WORDS
    if is_plain:
        return value
    quote = next((each for each in "\"'`" if each not in value), None)
    if quote is None:
        raise Error(f"the column {value!r} has every kind of quote in its name; rename it")
    return f"{quote}{value}{quote}"


def _with_setting(text: str, name: str, default: str, value: Setting) -> str:
    """The text with another default; a parameter that is a column becomes a line of its own."""
    stated = rf"param\s+{re.escape(name)}\s*=\s*{re.escape(default)}"
    line = re.compile(rf"(^|;)([ \t]*){stated}([ \t]*\n)?", re.M)
    new = f"param {name} = {_setting_text(value)}"
    if isinstance(value, str):
        new = f"{name} = {quoted(value)}"
    is_free = value == name  # a name that the text does not define is a column already
    changed, count = line.subn(
        lambda found: found[1] if is_free else f"{found[1]}{found[2]}{new}{found[3] or ''}", text
    )
    if count != 1:
        raise Error(f"cannot find the line 'param {name} = {default}' in the loss's text")
    return changed
