"""The library in C."""
