"""What the contracts of the conformance kit are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pageindex.errors import PageIndexError
from pageindex.store.base import Library

__all__ = ["CONTRACTS", "Contract", "ContractError", "Factory", "contract", "expect", "expect_error"]

Factory = Callable[[], Library]


class ContractError(AssertionError):
    """A library does not do what every library must do."""


@dataclass(frozen=True, slots=True)
class Contract:
    """One rule: its number, for reports, a sentence, and the code that tests it on an empty library."""

    number: int
    sentence: str
    test: Callable[[Library], None]

    def check(self, factory: Factory) -> None:
        """Run the test on a new library; raises ContractError."""
        with factory() as library:
            self.test(library)

    def __str__(self) -> str:
        return f"{self.number:02} {self.sentence}"


CONTRACTS: list[Contract] = []


def contract(sentence: str) -> Callable[[Callable[[Library], None]], Callable[[Library], None]]:
    """Make a function the next contract."""

    def enter(test: Callable[[Library], None]) -> Callable[[Library], None]:
        CONTRACTS.append(Contract(len(CONTRACTS) + 1, sentence, test))
        return test

    return enter


def expect(holds: bool, what: str) -> None:
    """Raise ContractError unless it holds."""
    if not holds:
        raise ContractError(what)


def expect_error(kind: type[PageIndexError], call: Callable[[], object], code: str = "") -> PageIndexError:
    """The error that a call must end in."""
    try:
        result = call()
    except kind as error:
        expect(not code or error.code == code, f"code {error.code}, not {code}")
        expect(bool(error.message and error.next_step), f"{error.code} says what is wrong and what to do")
        return error
    raise ContractError(f"{kind.__name__} expected, not {result!r}")
