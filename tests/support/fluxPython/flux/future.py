"""Futures of the library in C."""

from flux.reactor import Future as Made


def Future(made: Made) -> Made:
    return made
