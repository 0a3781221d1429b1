"""How far the processes that read files are confined on this machine, for ``doctor``."""

from pageindex.reading.workers.confinement import Confinement, confinement

__all__ = ["Confinement", "confinement"]
