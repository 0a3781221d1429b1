"""What every library must do, as numbered contracts that any implementation can be run against.

::

    for contract in CONTRACTS:
        contract.check(lambda: MyLibrary())     # raises ContractError when it is broken

Each contract gets a function that makes an empty library, and closes what it opens.
"""

from pageindex.store.conformance import keeping as conformance_store
from pageindex.store.conformance import searching as conformance_search
from pageindex.store.conformance.kit import CONTRACTS, Contract, ContractError, Factory

__all__ = ["CONTRACTS", "Contract", "ContractError", "Factory", "conformance_search", "conformance_store"]
