"""Measurements. Every figure of the README comes from here."""
