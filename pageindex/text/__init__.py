"""What text is: foldings for matching, words, stems, languages, tokens."""
