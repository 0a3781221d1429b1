"""``python -m pageindex`` is the ``pageindex`` command."""

from pageindex.cli import main

if __name__ == "__main__":
    main()
