"""The pages of the pause menu."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from engine.client.actions import Action, Bindings, Source
from engine.client.menu import Menu, Page, Row
from engine.client.preferences import Preferences


class Host(Protocol):
    """What the menu does to the application."""

    preferences: Preferences
    bindings: Bindings
    menu: Menu

    def resume(self) -> None: ...
    def restart(self) -> None: ...
    def quit(self) -> None: ...
    def prefer(self, preferences: Preferences) -> None: ...
    def bind(self, bindings: Bindings) -> None: ...
    def toggle_full_screen(self) -> None: ...


def pause_page(host: Host) -> Page:
    menu = host.menu
    return Page(
        "Paused",
        (
            Row("Resume", host.resume),
            Row("Restart the round", host.restart),
            Row("Keys and mouse", lambda: menu.show(controls_page(host, pad=False))),
            Row("Gamepad", lambda: menu.show(controls_page(host, pad=True))),
            Row("Sound, mouse and picture", lambda: menu.show(settings_page(host))),
            Row("Quit", host.quit),
        ),
        "arrows or mouse choose, left and right change a value, escape goes back",
    )


def controls_page(host: Host, pad: bool) -> Page:
    """Every action and what asks for it; a chosen one waits for the key or button that shall."""

    def row(action: Action) -> Row:
        def take(source: Source) -> None:
            if source.on_pad == pad:
                host.bind(host.bindings.bound(action, source))

        return Row(
            action.value,
            choose=lambda: host.menu.listen(take),
            value=lambda: host.bindings.label(action, pad),
        )

    back = Row("Standard settings", lambda: host.bind(Bindings()))
    note = "choose one, then press what shall do it"
    if not pad:
        return Page("Keys and mouse", (*map(row, Action), back), note)
    sticks = Row("move", value=lambda: "left stick"), Row("look", value=lambda: "right stick")
    return Page("Gamepad", (*sticks, *(row(a) for a in Action if a not in _STICK), back), note)


_STICK = (Action.FORWARD, Action.BACK, Action.LEFT, Action.RIGHT)


def settings_page(host: Host) -> Page:
    def row(label: str, name: str, low: float, high: float, step: float, show: Callable[[float], str]) -> Row:
        def value() -> float:
            return float(getattr(host.preferences, name))

        def adjust(direction: int) -> None:
            wanted = min(high, max(low, round((value() + direction * step) / step) * step))
            host.prefer(replace(host.preferences, **{name: round(wanted, 3)}))  # type: ignore[arg-type]  # a number field

        return Row(
            label, adjust=adjust, value=lambda: show(value()), part=lambda: (value() - low) / (high - low)
        )

    def percent(value: float) -> str:
        return f"{value * 100:.0f} %"

    def flip() -> None:
        host.prefer(replace(host.preferences, invert=not host.preferences.invert))

    def pause_away() -> None:
        host.prefer(replace(host.preferences, pause_away=not host.preferences.pause_away))

    return Page(
        "Sound, mouse and picture",
        (
            row("Effects", "effects", 0.0, 1.0, 0.1, percent),
            row("Ambience", "ambience", 0.0, 1.0, 0.1, percent),
            row("Interface", "interface", 0.0, 1.0, 0.1, percent),
            row("Mouse", "sensitivity", 0.1, 5.0, 0.1, lambda v: f"{v:.1f}"),
            Row(
                "Moving the mouse up",
                flip,
                value=lambda: "looks down" if host.preferences.invert else "looks up",
            ),
            row("Field of view", "fov", 60.0, 110.0, 5.0, lambda v: f"{v:.0f} degrees"),
            Row(
                "Full screen",
                host.toggle_full_screen,
                value=lambda: "on" if host.preferences.full_screen else "off",
            ),
            Row(
                "Pause when another window is in front",
                pause_away,
                value=lambda: "yes" if host.preferences.pause_away else "no",
            ),
        ),
        "kept for the next time",
    )
