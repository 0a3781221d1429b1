"""Settings: one explicit object, declared once, and the places its values come from.

Nothing else in the package looks a setting up; what is in a :class:`Settings` object is what is used, all the way to the provider.
"""

from pageindex.config.declare import Kind, Option, options_of
from pageindex.config.ownership import belongs_to_user, distrust, home_folder
from pageindex.config.secrets import Secret, mask
from pageindex.config.settings import AnswerMode, Mode, Optimize, Settings, SummaryMode, ToolMode
from pageindex.config.sources import CONFIG_FILE, ENVIRONMENT_PREFIX, Loaded, Origin, load, user_file

__all__ = [
    "CONFIG_FILE",
    "ENVIRONMENT_PREFIX",
    "AnswerMode",
    "Kind",
    "Loaded",
    "Mode",
    "Optimize",
    "Option",
    "Origin",
    "Secret",
    "Settings",
    "SummaryMode",
    "ToolMode",
    "belongs_to_user",
    "distrust",
    "home_folder",
    "load",
    "mask",
    "options_of",
    "user_file",
]
