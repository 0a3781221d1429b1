"""``python run_index.py --pdf_path FILE``: see ``pageindex.run_index``."""

from pageindex.run_index import main

if __name__ == "__main__":
    raise SystemExit(main())
