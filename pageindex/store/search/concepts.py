"""What a business question means by its words, and where a report prints it: other names of the items of financial statements, the items
that a ratio is made of, and the words of reports for what people say in speech.

Definitions are those of accounting textbooks; a name stands for an item, an item for the lines that statements print it under. Nothing here
is a fact of a document: it only says which other words are worth looking for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from pageindex.text.words import Stemmer, words

__all__ = ["Sought", "sought"]

INCOME, BALANCE, CASH, EQUITY, NOTES = "income", "balance", "cash", "equity", ""

#: How the heads of statements name them.
STATEMENTS: Mapping[str, tuple[str, ...]] = {
    INCOME: ("statements of income", "statement of income", "income statement", "statements of operations", "statement of operations",
             "statements of earnings", "statement of earnings", "statement of profit or loss", "profit and loss account"),
    BALANCE: ("balance sheet", "balance sheets", "statement of financial position", "statements of financial position"),
    CASH: ("statements of cash flows", "statement of cash flows", "cash flow statement", "statements of cash flow"),
    EQUITY: ("statements of equity", "statement of equity", "statements of stockholders equity", "statements of shareholders equity",
             "statement of changes in equity", "statements of changes in equity"),
}  # fmt: skip

#: Each item: its statement, the lines that print it, and names of it in questions beside these.
_ITEMS: Mapping[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "revenue": (INCOME, ("total revenues", "total net revenues", "net sales", "net revenues", "revenues", "revenue", "total net sales", "sales"),
                ("topline", "top line", "turnover of the company", "sales")),
    "cogs": (INCOME, ("cost of sales", "cost of revenue", "cost of revenues", "cost of goods sold", "cost of products sold", "total cost of revenue"),
             ("cogs", "cost of goods")),
    "gross": (INCOME, ("gross profit", "gross margin"), ()),
    "sga": (INCOME, ("selling general and administrative", "selling and administrative", "general and administrative"), ("sg a", "sga", "overhead")),
    "rd": (INCOME, ("research and development", "technology and content", "product development"), ("r d",)),
    "operating": (INCOME, ("operating income", "operating profit", "income from operations", "operating earnings", "profit from operations"),
                  ("ebit", "operating result")),
    "interest": (INCOME, ("interest expense", "interest expense net", "interest and other", "finance costs"), ("cost of debt",)),
    "pretax": (INCOME, ("income before income taxes", "earnings before income taxes", "income before taxes", "profit before tax"),
               ("pre tax income", "pretax income", "ebt")),
    "tax": (INCOME, ("provision for income taxes", "income tax expense", "income taxes", "provision for taxes"), ("tax expense",)),
    "net": (INCOME, ("net income", "net earnings", "net loss", "net income attributable", "profit for the year"), ("bottom line", "net profit")),
    "eps": (INCOME, ("earnings per share", "net income per share", "diluted earnings per share", "basic earnings per share"), ("eps",)),
    "shares": (INCOME, ("weighted average shares", "shares outstanding", "weighted average common shares"), ()),
    "cashhold": (BALANCE, ("cash and cash equivalents", "cash equivalents and short term investments"), ("cash balance", "cash position", "liquidity")),
    "receivable": (BALANCE, ("accounts receivable", "trade receivables", "receivables net", "receivables"), ("ar", "debtors")),
    "inventory": (BALANCE, ("inventories", "inventory", "merchandise inventories"), ("stock in trade",)),
    "prepaid": (BALANCE, ("prepaid expenses", "other current assets"), ()),
    "currentassets": (BALANCE, ("total current assets",), ("current assets",)),
    "ppe": (BALANCE, ("property plant and equipment", "property and equipment net", "property and equipment", "net property plant and equipment"),
            ("pp e", "ppe", "ppne", "pp ne", "fixed assets", "fixed asset", "tangible assets")),
    "assets": (BALANCE, ("total assets",), ("assets",)),
    "payable": (BALANCE, ("accounts payable", "trade payables"), ("payables", "creditors")),
    "currentliabilities": (BALANCE, ("total current liabilities",), ("current liabilities",)),
    "debt": (BALANCE, ("long term debt", "short term debt", "current portion of long term debt", "debt maturing within one year", "notes payable",
                       "short term borrowings", "long term borrowings"), ("total debt", "borrowings", "leverage")),
    "liabilities": (BALANCE, ("total liabilities",), ("liabilities",)),
    "equity": (BALANCE, ("total equity", "total stockholders equity", "total shareholders equity", "shareholders equity", "stockholders equity"),
               ("book value", "net worth")),
    "goodwill": (BALANCE, ("goodwill",), ()),
    "retained": (BALANCE, ("retained earnings", "accumulated deficit"), ()),
    "operatingcash": (CASH, ("net cash provided by operating activities", "net cash from operating activities", "cash provided by operations",
                             "net cash provided by operations"), ("operating cash flow", "cash from operations", "cash flow from operations", "ocf")),
    "capex": (CASH, ("capital expenditures", "purchases of property and equipment", "purchases of property plant and equipment", "capital spending",
                     "additions to property plant and equipment", "additions to property and equipment", "purchase of property"),
              ("capex", "capital expenditure", "capital investment")),
    "da": (CASH, ("depreciation and amortization", "depreciation", "amortization of intangible assets", "depreciation amortization"),
           ("d a", "depreciation expense")),
    "dividends": (CASH, ("dividends paid", "cash dividends", "payment of dividends", "payments of dividends", "cash dividends paid"),
                  ("dividend payout", "payout ratio", "dividend payments")),
    "buyback": (CASH, ("repurchases of common stock", "purchase of treasury stock", "share repurchases", "repurchase of common stock"),
                ("buyback", "buybacks", "share buyback", "stock buyback")),
    "acquisitionscash": (CASH, ("acquisitions net of cash acquired", "acquisitions of businesses"), ()),
    "leases": (BALANCE, ("operating lease liabilities", "lease liabilities", "operating lease right of use assets"), ()),
    "taxesrate": (NOTES, ("effective tax rate", "effective income tax rate"), ()),
}  # fmt: skip

#: Names of ratios and of measures, and the items they are made of.
_MEASURES: Mapping[tuple[str, ...], tuple[str, ...]] = {
    ("quick ratio", "acid test"): ("currentassets", "inventory", "currentliabilities", "cashhold", "receivable"),
    ("current ratio", "working capital", "working capital ratio", "net working capital"): ("currentassets", "currentliabilities"),
    ("cash ratio",): ("cashhold", "currentliabilities"),
    ("liquidity profile",): ("currentassets", "currentliabilities", "cashhold"),
    ("gross margin", "gross profit margin"): ("revenue", "cogs", "gross"),
    ("operating margin", "operating income margin", "ebit margin"): ("revenue", "operating"),
    ("net margin", "net profit margin", "net income margin", "profit margin", "profitability"): ("revenue", "net"),
    ("ebitda",): ("operating", "da", "net", "interest", "tax"),
    ("return on assets", "return on asset", "roa"): ("net", "assets"),
    ("return on equity", "roe"): ("net", "equity"),
    ("return on capital employed", "roce"): ("operating", "assets", "currentliabilities"),
    ("return on invested capital", "roic", "invested capital"): ("operating", "tax", "assets", "debt", "equity", "cashhold"),
    ("asset turnover", "assets turnover", "total asset turnover"): ("revenue", "assets"),
    ("fixed asset turnover",): ("revenue", "ppe"),
    ("inventory turnover", "days inventory outstanding", "days of inventory", "dio"): ("cogs", "inventory"),
    ("receivables turnover", "receivable turnover", "days sales outstanding", "dso"): ("revenue", "receivable"),
    ("payables turnover", "payable turnover", "days payable outstanding", "dpo"): ("cogs", "payable", "inventory"),
    ("cash conversion cycle", "ccc"): ("cogs", "inventory", "receivable", "payable", "revenue"),
    ("interest coverage", "coverage ratio", "times interest earned"): ("operating", "interest"),
    ("debt to equity", "debt equity", "gearing"): ("debt", "equity", "liabilities"),
    ("debt ratio", "debt to assets", "debt to asset"): ("debt", "assets", "liabilities"),
    ("debt to ebitda", "leverage ratio"): ("debt", "operating", "da"),
    ("equity multiplier",): ("assets", "equity"),
    ("free cash flow", "free cashflow", "fcf"): ("operatingcash", "capex"),
    ("capital intensive", "capital intensity"): ("assets", "revenue", "ppe", "capex"),
    ("effective tax rate", "effective income tax rate", "tax rate"): ("taxesrate", "tax", "pretax"),
    ("dividend payout", "payout ratio", "retention ratio"): ("dividends", "net"),
    ("earnings per share", "eps"): ("eps",),
    ("net debt",): ("debt", "cashhold"),
}  # fmt: skip

#: What people say, and what reports print for it.
_SAID: Mapping[tuple[str, ...], tuple[str, ...]] = {
    ("legal battles", "legal battle", "lawsuits", "lawsuit", "litigation", "court case", "legal disputes"):
        ("legal proceedings", "litigation", "contingencies", "lawsuits", "plaintiffs"),
    ("headquarters", "headquartered", "head office"): ("principal executive offices", "headquarters"),
    ("headcount", "workforce", "how many people work", "number of employees"): ("employees", "human capital", "full time"),
    ("layoffs", "layoff", "job cuts"): ("restructuring", "severance", "workforce reduction"),
    ("m a", "mergers", "takeover", "acquisitions", "companies acquired", "acquired"): ("acquisitions", "acquisition", "business combination", "acquired"),
    ("guidance", "outlook", "forecasting", "forecast"): ("outlook", "guidance", "expects", "we expect", "forecast"),
    ("geographies", "geography", "geographic", "regions", "countries"): ("geographic", "countries", "regions", "international"),
    ("industry", "line of business", "business model"): ("our company", "business overview", "general development of business"),
    ("products", "services", "products and services"): ("our products", "products and services"),
    ("customers", "clients"): ("customers", "major customers", "sales to"),
    ("suppliers", "vendors"): ("suppliers", "raw materials"),
    ("competitors", "rivals"): ("competition", "competitors"),
    ("auditor", "audit firm"): ("independent registered public accounting firm", "auditor"),
    ("ceo",): ("chief executive officer",),
    ("cfo",): ("chief financial officer",),
    ("risks", "risk"): ("risk factors",),
    ("ticker", "securities registered", "debt securities", "stock exchange"): ("title of each class", "trading symbol", "name of each exchange"),
    ("patents",): ("intellectual property", "patents"),
    ("drivers", "drove", "driven"): ("primarily due to", "driven by", "compared with", "increased", "decreased"),
    ("organic growth", "excluding acquisitions"): ("organic", "organic sales", "acquisitions and divestitures"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sought:
    """What a question means beside its words.

    Attributes:
        items: For each item asked for, the folded words of the lines that print it.
        statements: The folded words of the heads of the statements that hold these items.
        said: Folded words of other expressions for what is asked.
    """

    items: tuple[tuple[tuple[str, ...], ...], ...]
    statements: tuple[tuple[str, ...], ...]
    said: tuple[tuple[str, ...], ...]

    def __bool__(self) -> bool:
        return bool(self.items or self.said)


def sought(asked: Sequence[str]) -> Sought:
    """What the folded words of a question mean in a report."""
    stems = tuple(_stem(word) for word in asked)
    text = f" {' '.join(stems)} "
    measures, names, said = _patterns()
    keys: dict[str, None] = {}
    for pattern, items in (*measures, *names):
        if pattern in text:
            keys |= dict.fromkeys(items)
    statements = dict.fromkeys(_ITEMS[key][0] for key in keys)
    for statement, heads in STATEMENTS.items():
        if any(f" {_stemmed(head)} " in text for head in heads):
            statements[statement] = None
    expressions: dict[str, None] = {}
    for pattern, prints in said:
        if pattern in text:
            expressions |= dict.fromkeys(prints)
    return Sought(
        tuple(tuple(tuple(words(line)) for line in _ITEMS[key][1]) for key in keys),
        tuple(tuple(words(head)) for statement in statements for head in STATEMENTS.get(statement, ())),
        tuple(tuple(words(expression)) for expression in expressions),
    )


@cache
def _patterns() -> tuple[list[tuple[str, tuple[str, ...]]], ...]:
    """Stemmed names between blanks, each with the items or expressions it stands for."""
    measures = [(f" {_stemmed(name)} ", items) for names, items in _MEASURES.items() for name in names]
    items: list[tuple[str, tuple[str, ...]]] = [
        (f" {_stemmed(name)} ", (key,)) for key, (_, lines, names) in _ITEMS.items() for name in (*lines, *names)
    ]
    said = [(f" {_stemmed(name)} ", prints) for names, prints in _SAID.items() for name in names]
    return measures, items, said


def _stemmed(text: str) -> str:
    return " ".join(_stem(word) for word in words(text))


@cache
def _stemmer() -> Stemmer:
    return Stemmer("en")


def _stem(word: str) -> str:
    return _stemmer().stem(word)
