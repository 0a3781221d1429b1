"""What text is: foldings for matching, tokens."""
