"""A tool is one typed function: its signature and docstring are all that is ever said of it.

From them are made the JSON schema for function calling, the description that a model reads, the ways of calling for models that write
their calls as JSON, the check of arguments, the plain function for other agent loops, and the page in the documentation. Types are
converted by msgspec, which also writes their schemas.
"""

from __future__ import annotations

import inspect
import json
import re
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec

from pageindex.app.reader import Reader
from pageindex.document.codec import encode_json
from pageindex.errors import InputError, PageIndexError, StoreError
from pageindex.text.near import near_names, or_near
from pageindex.text.tokens import count_tokens
from pageindex.tools.envelope import Call, Envelope, Refusal, call, failure

__all__ = ["IMAGE_TOKENS", "DocstringError", "Parameter", "Schema", "Tool", "cost", "tool"]

IMAGE_TOKENS = 1_600  #: What a page's picture costs, roughly: providers count pixels and scale large pictures down.

P = ParamSpec("P")
Schema = dict[str, Any]
Body = Callable[Concatenate[Reader, P], Envelope]

_SECTION = re.compile(r"^(Args|Returns|Raises):\s*$", re.MULTILINE)
_ENTRY = re.compile(r"^    (\w+): (.*(?:\n(?:     .*)?)*)", re.MULTILINE)
_NEAR = 50  # least likeness of a parameter that is meant
_OUTCOME: Schema = {
    "success": {"type": "boolean", "description": "True; absent from an error."},
    "error": {"type": "string", "description": "What is wrong."},
    "errorCode": {"type": "string"},
    "retryable": {"type": "boolean", "description": "Whether the same call may succeed later."},
}
_NEXT: Schema = {
    "next_steps": {
        "type": "object",
        "properties": {
            "summary": {"type": "string"},
            "options": {
                "type": "array",
                "description": "Sentences, or calls {tool, arguments} to be made as they are.",
            },
        },
        "required": ["summary", "options"],
    }
}
_SHOWN = 60  # characters of a wrong value that are repeated


class DocstringError(Exception):
    """A tool whose docstring does not say what its signature asks for; raised when it is declared or first looked at."""


def cost(value: object) -> int:
    """Tokens of a value as JSON."""
    return count_tokens(encode_json(value).decode())


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a tool.

    Attributes:
        name, description: As the model sees them.
        type: Without None, with its bounds.
        required: Whether it must be given.
        default: Where it is not.
    """

    name: str
    description: str
    type: Any
    required: bool
    default: Any

    def schema(self) -> Schema:
        """JSON Schema, without references."""
        import msgspec

        made = _inlined(msgspec.json.schema(self.type), {})
        if "enum" in made:
            made = {"type": "string", **made}
        return {**made, "description": self.description}

    def plain(self) -> Any:
        """The type as an annotation without bounds: ``str``, ``int | None``, ``list[dict[str, Any]]``."""
        found = _plain(_shallow(self.type))
        return found if self.required or self.default is not None else found | None

    def convert(self, value: Any) -> Any:
        """A value as a model writes it (``"3"``, ``3.0``, a list as a string) in the parameter's type; raises ValueError."""
        import msgspec

        wanted = _shallow(self.type)
        if wanted is str and isinstance(value, int | float) and not isinstance(value, bool):
            return f"{value:g}" if isinstance(value, float) else str(value)
        if isinstance(value, str) and typing.get_origin(wanted) in (list, dict):
            value = json.loads(value)
        elif isinstance(value, str) and _plain(wanted) is int:
            value = value.strip().removesuffix(".0")
        return msgspec.convert(value, wanted, strict=False)

    def wanted(self) -> str:
        """What to give, in words."""
        schema = self.schema()
        allowed = f" ({', '.join(schema['enum'])})" if "enum" in schema else ""
        return f"{schema['type']}{allowed}. {self.description}".strip()


class Tool(Generic[P]):
    """A function over a reader that answers with an envelope whatever happens; only results that go out count as seen.

    Attributes:
        name: Of the function, as interop users know it.
        needs: Attribute of the reader that must be true for the tool to be offered; empty for none.
        in_loop: Whether a loop that checks its answers itself offers it.
    """

    def __init__(
        self,
        body: Body[P],
        needs: str,
        simple: Sequence[str] | None,
        among_several: bool,
        in_loop: bool,
        spare: Sequence[str],
    ) -> None:
        self._body, self.needs, self._simple, self._among_several = body, needs, simple, among_several
        self.in_loop, self._spare = in_loop, frozenset(spare)
        self.name = body.__name__
        update_wrapper(self, body)
        if not inspect.getdoc(body):
            raise DocstringError(f"{self.name} has no docstring")

    def __call__(self, reader: Reader, /, *args: P.args, **kwargs: P.kwargs) -> Envelope:
        """Call it from Python: as ``call``, with the arguments of its signature."""
        _, *given = self._signature.bind_partial(reader, *args, **kwargs).arguments.items()
        return self.call(reader, dict(given))

    @cached_property
    def _signature(self) -> inspect.Signature:
        return inspect.signature(self._body)

    # ------------------------------------------------------------ what is said of it

    @cached_property
    def _sections(self) -> dict[str, str]:
        """The docstring's parts: ``""`` for what stands before the first section."""
        parts = _SECTION.split(inspect.getdoc(self._body) or "")
        return {"": parts[0].strip(), **dict(zip(parts[1::2], parts[2::2], strict=True))}

    @property
    def description(self) -> str:
        """For the model: the docstring's first paragraph."""
        return " ".join(self._sections[""].split("\n\n")[0].split())

    @property
    def returns(self) -> str:
        """The data of a success, in words and shapes."""
        return " ".join(self._sections.get("Returns", "").split())

    @cached_property
    def parameters(self) -> Mapping[str, Parameter]:
        """The arguments by name, in the signature's order."""
        said = {name: " ".join(text.split()) for name, text in _ENTRY.findall(self._sections.get("Args", ""))}
        hints = typing.get_type_hints(self._body, include_extras=True)
        found = {}
        for name, parameter in list(self._signature.parameters.items())[1:]:
            if not said.get(name):
                raise DocstringError(f"{self.name} does not say what {name} is")
            required = parameter.default is inspect.Parameter.empty
            default = None if required else parameter.default
            found[name] = Parameter(name, said[name], _without_none(hints[name]), required, default)
        if unknown := set(said) - set(found):
            raise DocstringError(f"{self.name} has no parameter {min(unknown)}")
        return found

    def signature(self) -> inspect.Signature:
        """Of the plain function: without the reader, with plain types, returning text; what must be given stands first."""
        made = [
            inspect.Parameter(
                parameter.name,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=inspect.Parameter.empty if parameter.required else parameter.default,
                annotation=parameter.plain(),
            )
            for parameter in self.parameters.values()
        ]
        return inspect.Signature(made, return_annotation=str)

    def docstring(self) -> str:
        """Of the plain function: the description, and each argument in a section ``Args``."""
        lines = [f"    {parameter.name}: {parameter.description}" for parameter in self.parameters.values()]
        return "\n".join(
            [self.description, "", "Args:", *lines, "", "Returns:", "    The tool's answer, as text for a model."]
        )

    def schema(self) -> Schema:
        """JSON Schema of the arguments."""
        return {
            "type": "object",
            "properties": {name: parameter.schema() for name, parameter in self.parameters.items()},
            "required": [name for name, parameter in self.parameters.items() if parameter.required],
            "additionalProperties": False,
        }

    def brief_schema(self, *, several: bool) -> Schema | None:
        """JSON Schema of the arguments that a loop is told of on every round; None where it is not told of the tool.

        Any other argument is taken all the same. Where there is only one document, none is named.
        """
        if not self.in_loop or (self._among_several and not several):
            return None
        left_out = self._spare if several else self._spare | {"doc_name"}
        whole = self.schema()
        told = {name: item for name, item in whole["properties"].items() if name not in left_out}
        if "doc_name" in told:
            told["doc_name"] = {"type": "string"}  # says itself what it is
        found: Schema = {"type": "object", "properties": told}
        return found | ({"required": whole["required"]} if whole["required"] else {})

    def result_schema(self) -> Schema:
        """JSON Schema of what it answers, success or error; the data of a success are what the return type is annotated with."""
        import msgspec

        declared = typing.get_args(typing.get_type_hints(self._body, include_extras=True)["return"])[1:]
        data = _inlined(msgspec.json.schema(declared[0]), {})["properties"] if declared else {}
        return {"type": "object", "properties": {**_OUTCOME, **data, **_NEXT}, "required": ["next_steps"]}

    def ways(self, *, several: bool) -> list[tuple[str, ...]]:
        """The ways of calling that a model gets which writes its calls as JSON: the arguments of each, all of them to be given.

        Where there is only one document, none is named, and a tool that chooses among several is not offered.
        """
        if not several and self._among_several:
            return []
        return [tuple(name for name in way if several or name != "doc_name") for way in self._ways]

    @cached_property
    def _ways(self) -> tuple[tuple[str, ...], ...]:
        if self._simple is not None:
            return tuple(tuple(way.split()) for way in self._simple)
        return (tuple(name for name, parameter in self.parameters.items() if parameter.required or name == "doc_name"),)

    def simple_parameters(self) -> list[str]:
        """The arguments that such a model is told of, in the signature's order; empty where it is not told of the tool."""
        named = {name for way in self._ways for name in way}
        return [name for name in self.parameters if name in named]

    def offered(self, reader: Reader) -> bool:
        """Whether a reader may use it."""
        return not self.needs or bool(getattr(reader, self.needs))

    # ------------------------------------------------------------ calls with unchecked arguments

    def call(self, reader: Reader, arguments: Mapping[str, Any]) -> Envelope:
        """Call it with arguments as a model gave them; wrong ones are answered with an error that says what is near.

        The body runs under the reader's lock; its errors become envelopes, and what it showed is recorded once it has ended well.
        """
        given = {key: value for key, value in arguments.items() if value is not None}
        try:
            converted = self._converted(given)
        except InputError as problem:
            return failure(problem, [call(self.name, **self._usable(given))])
        run: Callable[..., Envelope] = self._body
        with reader.lock:
            try:
                reader.begin()
                envelope = run(reader, **converted)
                reader.checkpoint()
            except Refusal as refusal:
                return _dropped(reader, failure(refusal.error, refusal.options, **refusal.data))
            except PageIndexError as error:
                return _dropped(reader, failure(error, _otherwise(error)))
            except OSError as error:
                fault = StoreError(f"{error.strerror or error}", "Run 'pageindex doctor'.", code="SYSTEM")
                return _dropped(reader, failure(fault, _otherwise(fault)))
            reader.commit(_price(envelope))
            return envelope

    def _converted(self, given: Mapping[str, Any]) -> dict[str, Any]:
        known, converted = self.parameters, {}
        for key in given:
            if key not in known:
                near = near_names(key, known, least=_NEAR)
                step = or_near(near[:1], f"Its parameters are: {', '.join(known)}.")
                raise InputError(f"{self.name} has no parameter {key!r}", step, code="INVALID_ARGUMENT", near=near)
        for key, parameter in known.items():
            if parameter.required and key not in given:
                step = f"{key}: {parameter.wanted()}"
                raise InputError(f"{self.name} needs {key}", step, code="INVALID_ARGUMENT")
            if key not in given:
                continue
            try:
                converted[key] = parameter.convert(given[key])
            except ValueError:
                message = f"{key} of {self.name} cannot be {_cut(repr(given[key]))}"
                raise InputError(message, f"Give {parameter.wanted()}", code="INVALID_ARGUMENT") from None
        return converted

    def _usable(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments that were right, misspelt ones under their near name, and something for those that are missing."""
        kept: dict[str, Any] = {}
        for key, value in given.items():
            name = key if key in self.parameters else next(iter(near_names(key, self.parameters, least=_NEAR)), "")
            try:
                if name:
                    self.parameters[name].convert(value)
                    kept.setdefault(name, value)
            except ValueError:
                continue
        missing = [p for name, p in self.parameters.items() if p.required and name not in kept]
        return {parameter.name: _example(parameter) for parameter in missing} | kept


def tool(
    *,
    needs: str = "",
    simple: Sequence[str] | None = None,
    among_several: bool = False,
    in_loop: bool = True,
    spare: Sequence[str] = (),
) -> Callable[[Body[P]], Tool[P]]:
    """Declare a function as a tool.

    Args:
        needs: Attribute of the reader without which it is not offered.
        simple: The ways of calling of a model that writes its calls as JSON, each the names of the arguments that it gives, with spaces
            between. By default one, with what must be given and ``doc_name``. None at all keeps the tool from such a model.
        among_several: Whether it only helps to choose among several documents.
        in_loop: Whether a loop that checks its answers itself offers it.
        spare: Arguments that such a loop is not told of, for they are paid for on every round and seldom used.
    """
    return lambda body: Tool(body, needs, simple, among_several, in_loop, spare)


# ---------------------------------------------------------------- envelopes


def _price(envelope: Envelope) -> int:
    """Tokens of a reply; a picture costs a model what its size in pixels makes it, not its length in base64."""
    if "image" not in envelope:
        return cost(envelope)
    return cost({**envelope, "image": None}) + IMAGE_TOKENS


def _dropped(reader: Reader, envelope: Envelope) -> Envelope:
    reader.abandon()
    reader.spent += cost(envelope)
    return envelope


def _otherwise(error: PageIndexError) -> list[str | Call]:
    """What to do where the tool itself proposed nothing: look for the documents that can be read."""
    if error.code in ("CANCELLED", "DEADLINE", "SYSTEM", "BUDGET_EXHAUSTED"):
        return []
    return [call("browse_documents", recursive=True)]


# ---------------------------------------------------------------- types


def _without_none(hint: Any) -> Any:
    arms = [arm for arm in typing.get_args(hint) if arm is not type(None)]
    is_union = typing.get_origin(hint) in (typing.Union, type(int | None))
    return arms[0] if is_union and len(arms) == 1 else hint


def _plain(hint: Any) -> Any:
    """The type without its bounds."""
    return typing.get_args(hint)[0] if typing.get_origin(hint) is typing.Annotated else hint


def _shallow(hint: Any) -> Any:
    """What is checked here: of a list of objects that they are objects; what they hold, the tool itself says more of."""
    plain = _plain(hint)
    inner: Any = next(iter(typing.get_args(plain)), None)
    if typing.get_origin(plain) in (list, Sequence) and typing.is_typeddict(inner):
        return list[dict[str, Any]]
    if typing.get_origin(plain) is Mapping:
        return dict[str, Any]
    return hint


def _inlined(schema: Any, known: Mapping[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_inlined(item, known) for item in schema]
    if not isinstance(schema, dict):
        return schema
    known = {**known, **schema.get("$defs", {})}
    if "$ref" in schema:
        return _inlined(known[schema["$ref"].rsplit("/", 1)[-1]], known)
    kept = {
        key: item for key, item in schema.items() if key != "$defs" and not (key == "title" and isinstance(item, str))
    }
    return {key: _inlined(item, known) for key, item in kept.items()}


def _example(parameter: Parameter) -> Any:
    """A value of the right type for a call to propose."""
    return {"integer": 1, "array": [], "object": {}, "boolean": True}.get(parameter.schema().get("type", ""), "…")


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
