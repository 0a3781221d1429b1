"""Worker processes: what a hostile file does to its reader stays there."""
