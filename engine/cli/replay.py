"""`notetrack replay`: plays a recording again and compares every frame."""

from __future__ import annotations

from pathlib import Path

import click

from engine.cli.output import OK, PROBLEMS, FilePath, Reporter, fail


@click.command("replay")
@click.argument("file", type=FilePath())
@click.option(
    "--mod", "mods", multiple=True, type=FilePath(),
    help="Play these mods instead of the recorded ones (repeatable; the first wins).",
)  # fmt: skip
@click.option("--hashes", is_flag=True, help="Print every frame's number and hash.")
def replay(file: Path, mods: tuple[Path, ...], hashes: bool) -> None:
    """Play the input in FILE, a recording of `notetrack play --record FILE`, without a screen and as fast as it can.

    Exit code 0 when every frame's state is the recorded one, 1 when one differs: it is named.
    """
    from engine.mods.recording import Frame, Recording
    from engine.mods.replay import open_session
    from engine.mods.replay import replay as run
    from engine.source import DiagnosticError
    from engine.source.paths import shown_path

    if not file.is_file():
        fail(f"'{file}' is no file" if file.exists() else f"there is no file '{file}'")
    reporter = Reporter()

    def show(frame: Frame) -> None:
        if hashes:
            click.echo(f"{frame.number} {frame.hash}")

    try:
        recording = Recording.read(file)
        session = open_session(recording.head, mods)
        if session.fingerprint() != recording.head.scripts:
            reporter.plain(
                "the scripts are not those of the recording; was it made with a mod of another folder? "
                "Then name that folder with --mod"
            )
        report = run(recording, session, show)
        session.close()
    except DiagnosticError as error:
        reporter.all(error.diagnostics)
        if any(problem.code == "missing-mod" for problem in error.diagnostics):
            reporter.plain(
                "a recording keeps the names of mods, not their places: give their folders with --mod"
            )
        raise SystemExit(PROBLEMS) from None
    if report.difference is not None:
        what = report.difference
        click.echo(
            f"frame {what.frame}, at {what.time / 1000:g} s, is the first that differs: "
            f"the state is {what.found}, recorded was {what.recorded}"
        )
        folders = ", ".join(shown_path(mod.folder) for mod in session.search)
        reporter.plain(
            f"played with the mods in {folders}; where the recording had others of these names, give --mod"
        )
        raise SystemExit(PROBLEMS)
    end = "; there the scripts were edited, which ended the recording" if report.reloaded else ""
    if recording.cut:
        end += "; its last line was not written to its end and is left out"
    click.echo(f"{report.frames} frames, all as recorded{end}")
    raise SystemExit(OK)
