"""`notetrack play`: the sandbox, or whatever the mods bring; with a window or without a screen."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.cli.interrupts import ended_as_interrupted, exit_code
from engine.cli.options import Seconds, given_options
from engine.cli.output import OK, PROBLEMS, RUNTIME, USAGE, FilePath, Reporter, fail, keep_sources
from engine.source.render import legible, to_text
from engine.vm.randomness import MAX_SEED

if TYPE_CHECKING:
    from engine.client.app import ClientApp
    from engine.mods.journal import LogLine
    from engine.mods.session import GameSession

DEMO_SECONDS = 10.0
DEMO_PICTURE = Path("notetrack.png")


def _picture(context: click.Context, parameter: click.Parameter, value: Path | None) -> Path | None:
    if value is not None:
        from engine.client.pictures import PICTURES

        if value.suffix.lower() not in PICTURES:
            raise click.BadParameter(f"a picture's name ends in {', '.join(PICTURES)}")
    return value


def _size(context: click.Context, parameter: click.Parameter, value: str) -> tuple[int, int]:
    width, cross, height = value.lower().partition("x")
    if not cross or not width.isdecimal() or not height.isdecimal():
        raise click.BadParameter("write it as WIDTHxHEIGHT, such as 1280x720")
    size = int(width), int(height)
    if not (160 <= size[0] <= 7680 and 90 <= size[1] <= 4320):
        raise click.BadParameter("it must be between 160x90 and 7680x4320")
    return size


@click.command("play")
@click.argument("level", required=False)
@click.option(
    "--mod",
    "mods",
    multiple=True,
    type=FilePath(),
    help="A mod folder, or the name of a mod (repeatable; the first wins).",
)
@click.option("--headless", is_flag=True, help="Play without a screen, as fast as it can.")
@click.option(
    "--seconds",
    type=Seconds(0.05, 1e6),
    help=f"End after so many seconds (without a screen {DEMO_SECONDS:g} game seconds by default).",
)
@click.option(
    "--screenshot",
    type=FilePath(dir_okay=False),
    callback=_picture,
    help="Write a picture of the end.",
)
@click.option(
    "--events",
    type=FilePath(dir_okay=False),
    help="Write what happens, one JSON object a line.",
)
@click.option(
    "--look",
    type=click.Choice(["best", "close"]),
    default="best",
    show_default=True,
    help="Without a screen, the picture's place: where most is seen, or before a figure.",
)
@click.option("--realtime", is_flag=True, help="Without a screen: keep the clock.")
@click.option("--draw", is_flag=True, help="Without a screen: draw every frame, for the times in --events.")
@click.option(
    "--renderer",
    type=click.Choice(["auto", "gl", "plain"]),
    default="auto",
    show_default=True,
    help="OpenGL, plain surfaces, or OpenGL where there is one.",
)
@click.option(
    "--size", callback=_size, default="1280x720", show_default=True, help="Of the window or picture."
)
@click.option("--full-screen", is_flag=True, help="Begin in full screen.")
@click.option("--no-sound", is_flag=True, help="Play silently.")
@click.option("--no-watch", is_flag=True, help="Do not reload what is saved.")
@click.option("--auto-rollback", is_flag=True, help="Take a reload back when its code raises a new error.")
@click.option(
    "--record",
    type=FilePath(dir_okay=False),
    help="Write down all input; `notetrack replay FILE` plays it again.",
)
@click.option("--inspect", type=click.IntRange(0, 65535), help="Answer inspection requests on this port.")
@click.option("--hash", "hashes", is_flag=True, help="Work out every frame's state hash, for --events.")
@click.option(
    "--seed",
    type=click.IntRange(-MAX_SEED, MAX_SEED),
    default=1,
    show_default=True,
    help="Of all randomness in the game.",
)
@click.pass_context
def play(
    context: click.Context, level: str | None, mods: tuple[Path, ...], headless: bool, seconds: float | None,
    screenshot: Path | None, look: str, events: Path | None, realtime: bool, draw: bool, renderer: str,
    size: tuple[int, int], full_screen: bool, no_sound: bool, no_watch: bool, auto_rollback: bool, seed: int,
    record: Path | None, inspect: int | None, hashes: bool,
) -> None:  # fmt: skip
    """Play LEVEL (the mods' own by default). Scripts that are saved meanwhile are taken in at once."""
    from engine import paths
    from engine.mods.journal import Journal
    from engine.mods.session import GameOptions, GameSession
    from engine.source import DiagnosticError
    from engine.world.world import FRAME

    if level == "":
        fail("the name of the level is empty")
    for file in (events, record):
        if file is not None:
            keep_sources(file)
    journal = Journal(events, paths.state() / "notetrack.log", _echo if headless else None)
    options = GameOptions(
        level, mods, watch=not no_watch, auto_rollback=auto_rollback, seed=seed, hashes=hashes
    )
    try:
        session = GameSession(options, journal)
        if record is not None:
            session.states.record(record)
    except DiagnosticError as error:
        Reporter().all(error.diagnostics)
        misused = any(
            d.code in ("missing-mod", "missing-level", "bad-recording") and d.span is None
            for d in error.diagnostics
        )
        raise SystemExit(USAGE if misused else PROBLEMS) from None
    if inspect is not None:
        try:
            click.echo(f"inspection on port {session.listen(inspect)}", err=True)
        except OSError as error:
            session.close()
            fail(f"cannot listen on port {inspect} ({error.strerror or error})")
    # Signals stay Python's: ctrl-C and a polite kill end the game wherever it is.
    os.environ.setdefault("SDL_NO_SIGNAL_HANDLERS", "1")
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    from engine.client.app import AppSettings, ClientApp
    from engine.client.window import NoScreenError, WindowSettings

    gl = {"auto": "auto", "gl": "on", "plain": "off"}[renderer]
    window = WindowSettings(size, full_screen, gl=gl, headless=headless, as_played=draw)
    try:
        app = ClientApp(session, AppSettings(window, silent=no_sound, announce=_announce))
    except NoScreenError as error:
        click.echo(f"notetrack: {error}", err=True)
        click.echo(f"notetrack: playing {DEMO_SECONDS:g} seconds without a screen instead", err=True)
        headless = True
        screenshot = screenshot or DEMO_PICTURE
        blind = WindowSettings(size, gl=window.gl, headless=True)
        app = ClientApp(session, AppSettings(blind, announce=_announce))
    except Exception as error:
        # What the graphics library could not do is the machine's matter: one sentence, no traceback.
        if type(error).__module__.split(".")[0] not in ("pygame", "moderngl", "engine"):
            raise
        session.close()
        fail(f"cannot open a window ({error}); try --renderer plain or --headless")
    unused = () if headless else given_options(context, ("look", "realtime", "draw"))
    for option in unused:
        click.echo(f"notetrack: {option} does nothing in a window; it goes with --headless", err=True)
    try:
        with ended_as_interrupted():
            if headless:
                seconds = seconds or DEMO_SECONDS
                code = _without_screen(app, session, seconds, screenshot, look, realtime, draw)
            else:
                code = _in_window(app, session, seconds, screenshot)
    except KeyboardInterrupt as stop:
        app.close()
        kept = (
            f"; its recording is {record}" if record is not None and not session.states.recording_lost else ""
        )
        click.echo(
            f"notetrack: stopped after {session.frames * FRAME / 1000:g} seconds of the game{kept}", err=True
        )
        code = exit_code(stop)
    raise SystemExit(code)


def _announce(sentence: str) -> None:
    click.echo(f"notetrack: {sentence}", err=True)


def _echo(line: LogLine) -> None:
    """What a run without a screen says: faults on standard error, the scripts' own output on standard output."""
    if line.diagnostic is not None:
        click.echo(to_text(line.diagnostic), err=True)
    if line.diagnostic is None or line.kind == "reload":
        click.echo(legible(line.text), err=line.kind in ("warning", "error"))


def _lost(session: GameSession) -> bool:
    """Whether something that was to be written is incomplete. It was said when it happened."""
    return session.journal.events_lost or session.states.recording_lost


def _in_window(app: ClientApp, session: GameSession, seconds: float | None, screenshot: Path | None) -> int:
    problem = app.run(seconds, screenshot)
    if problem:
        fail(problem)
    if screenshot is not None:
        click.echo(f"the picture is {screenshot}")
    return USAGE if _lost(session) else OK


def _without_screen(
    app: ClientApp,
    session: GameSession,
    seconds: float,
    screenshot: Path | None,
    look: str,
    realtime: bool,
    draw: bool,
) -> int:
    if session.broken:
        # Nobody would see the level, and who repairs the scripts starts it again.
        click.echo("notetrack: since the scripts have errors, nothing is played without a screen", err=True)
        app.close()
        return PROBLEMS
    problem = app.headless(seconds, screenshot, realtime=realtime, draw=draw, close=look == "close")
    if session.options.hashes:
        click.echo(f"state {session.states.last_hash} after {session.frames} frames")
    app.close()
    if problem:
        fail(problem)
    picture = f"; the picture is {screenshot}" if screenshot is not None else ""
    click.echo(f"{seconds:g} second{'s' * (seconds != 1)} played{picture}")
    if _lost(session):
        return USAGE
    if session.failures:
        return RUNTIME
    return PROBLEMS if session.faults else OK
