"""Evidence: what was read, where it says so, what was seen, what follows. A model proposes; the code of this room disposes."""

from pageindex.document import PageRange
from pageindex.evidence.absence import Absence, AbsenceRefused, Grade, Scope, blocking_pages, prove_absence
from pageindex.evidence.claims import Claim, ClaimCheck, Claims, QuoteRef, check_claims, parse_claims
from pageindex.evidence.declared import Declared, NumberCheck, check_number
from pageindex.evidence.fence import Fenced, fence, scrub
from pageindex.evidence.handles import Resolved, resolve
from pageindex.evidence.ledger import Exposure, Ledger
from pageindex.evidence.numbers.tokens import NumberToken, Sign, number_tokens
from pageindex.evidence.quotes.headings import HeadingFound, HeadingReason, HeadingRefused, printed_heading
from pageindex.evidence.quotes.index import FoldedEdition, folded
from pageindex.evidence.quotes.locate import locate
from pageindex.evidence.quotes.located import Located, with_sections
from pageindex.evidence.rectangles import rectangles
from pageindex.evidence.sentences import Account, Sentence, SentenceCheck, SentenceStatus, account, is_factual
from pageindex.evidence.status import NumberStatus, QuoteStatus, Verdict, Weight, verdict
from pageindex.evidence.tables.rebuild import Table, TableRow, tables_on
from pageindex.evidence.verify import EditionFinding, Recorded, verify
from pageindex.text.delivery import Delivery, derived, from_page, join

__all__ = [
    "Absence",
    "AbsenceRefused",
    "Account",
    "Claim",
    "ClaimCheck",
    "Claims",
    "Declared",
    "Delivery",
    "EditionFinding",
    "Exposure",
    "Fenced",
    "FoldedEdition",
    "Grade",
    "HeadingFound",
    "HeadingReason",
    "HeadingRefused",
    "Ledger",
    "Located",
    "NumberCheck",
    "NumberStatus",
    "NumberToken",
    "PageRange",
    "QuoteRef",
    "QuoteStatus",
    "Recorded",
    "Resolved",
    "Scope",
    "Sentence",
    "SentenceCheck",
    "SentenceStatus",
    "Sign",
    "Table",
    "TableRow",
    "Verdict",
    "Weight",
    "account",
    "blocking_pages",
    "check_claims",
    "check_number",
    "derived",
    "fence",
    "folded",
    "from_page",
    "is_factual",
    "join",
    "locate",
    "number_tokens",
    "parse_claims",
    "printed_heading",
    "prove_absence",
    "rectangles",
    "resolve",
    "scrub",
    "tables_on",
    "verdict",
    "verify",
    "with_sections",
]
