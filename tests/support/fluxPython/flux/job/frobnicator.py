"""Plugins that change a job as it is submitted."""


class FrobnicatorPlugin:
    pass
