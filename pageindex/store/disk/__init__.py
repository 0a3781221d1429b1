"""The library on disk."""
