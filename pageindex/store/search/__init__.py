"""Searching a library by words."""
