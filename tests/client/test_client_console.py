"""The console: editing, history, completion, commands, and what is done with a log line."""

from __future__ import annotations

import pygame
import pytest

from engine.client.console import Console
from engine.client.session import LogLine
from engine.source import Diagnostic, SourceText


@pytest.fixture
def ran() -> list[str]:
    return []


@pytest.fixture
def console(ran: list[str]) -> Console:
    def execute(line: str) -> str:
        ran.append(line)
        return "done" if line == "kill" else ""

    commands = {"map_restart": "starts the level again", "kill": "you die"}
    return Console(execute, lambda: commands, lambda: {"g_speed": "190", "g_gravity": "800"})


def type_line(console: Console, text: str) -> None:
    console.insert(text)
    console.key(pygame.K_RETURN)


def shown(console: Console) -> str:
    return "\n".join(text for text, _ in console.log)


def test_a_line_runs_is_echoed_and_answered(console: Console, ran: list[str]):
    type_line(console, "kill")
    assert ran == ["kill"]
    assert [text for text, _ in console.log] == ["] kill", "done"]
    assert console.text == ""


def test_parts_of_a_line_run_one_after_another(console: Console, ran: list[str]):
    type_line(console, "g_speed 250; map_restart ;; ")
    assert ran == ["g_speed 250", "map_restart"]


def test_editing_in_the_middle(console: Console):
    console.insert("gx")
    console.key(pygame.K_LEFT)
    console.insert("_speed ")
    console.key(pygame.K_DELETE)
    console.key(pygame.K_END)
    console.key(pygame.K_BACKSPACE)
    console.key(pygame.K_HOME)
    console.insert("s")
    assert console.text == "sg_speed"
    assert console.cursor == 1


def test_control_backspace_takes_a_word(console: Console):
    console.insert("set g_speed 20")
    console.key(pygame.K_BACKSPACE, control=True)
    assert console.text == "set g_speed "


def test_history_goes_back_and_returns_to_what_was_being_typed(console: Console):
    for line in ("one", "two", "two"):
        type_line(console, line)
    console.insert("dra")
    console.key(pygame.K_UP)
    assert console.text == "two"
    console.key(pygame.K_UP)
    console.key(pygame.K_UP)
    assert console.text == "one"
    console.key(pygame.K_DOWN)
    console.key(pygame.K_DOWN)
    assert console.text == "dra"


def test_completion_finishes_one_name_and_lists_several(console: Console):
    console.insert("map")
    console.key(pygame.K_TAB)
    assert console.text == "map_restart "
    console.text, console.cursor = "g", 1
    console.key(pygame.K_TAB)
    assert console.text == "g_"
    console.key(pygame.K_TAB)
    assert "g_gravity  g_speed" in shown(console)


def test_completion_leaves_unknown_words_alone(console: Console):
    console.insert("zz")
    console.key(pygame.K_TAB)
    assert console.text == "zz"


def test_help_knows_commands_variables_and_near_misses(console: Console):
    type_line(console, "help kill")
    assert "kill: you die" in shown(console)
    type_line(console, "help g_speed")
    assert '"190" now' in shown(console)
    type_line(console, "help mapp_restart")
    assert "did you mean map_restart?" in shown(console)
    type_line(console, "help")
    assert all(name in shown(console) for name in ("clear", "map_restart", "kill"))


def test_a_long_answer_is_read_from_its_beginning(ran: list[str]):
    answer = "\n".join(f"row {number}" for number in range(60))
    console = Console(lambda line: answer, dict, dict)
    type_line(console, "rows")
    newest = len(console.log) - 1 - console.scroll
    assert console.log[newest - 19][0] == "] rows", (
        "of the twenty lines that fit, the first is what was typed"
    )
    type_line(console, "clear")
    assert console.scroll == 0


def test_what_was_answered_is_not_said_again_by_the_log_of_the_game(console: Console):
    type_line(console, "kill")
    console.add(LogLine("reload", "done"))
    assert list(console.log) == [("] kill", "typed"), ("done", "good")]
    console.add(LogLine("reload", "done"))
    assert len(console.log) == 3, "the next one is another"


def test_a_misspelt_command_of_the_client_is_hinted_at(console: Console):
    console._execute = lambda line: "there is no command hlep"
    type_line(console, "hlep")
    assert "there is no command hlep; did you mean help?" in shown(console)


def test_a_fault_is_shown_whole_with_its_line(console: Console):
    source = SourceText("maps/a.gsc", "main()\n{\n  bad\n}\n")
    console.add(LogLine("error", "ignored", Diagnostic("syntax", "expected ;", source.span(13, 14))))
    assert "maps/a.gsc:3:5: error: expected ; [syntax]" in shown(console)
    assert "  bad" in shown(console)


def test_control_characters_of_a_script_do_not_reach_the_screen(console: Console):
    console.write("a\x1b[31mb\tc")
    assert shown(console) == "a\\x1b[31mb    c"


def test_the_log_forgets_its_beginning(console: Console):
    for number in range(3000):
        console.write(str(number))
    assert len(console.log) == 2000
    assert console.log[0][0] == "1000"


def test_scrolling_stays_in_the_log(console: Console):
    for number in range(20):
        console.write(str(number))
    console.scroll_by(1000)
    assert console.scroll == 19
    console.scroll_by(-2000)
    assert console.scroll == 0
