"""A calculator for the four operations, remainders and powers, with no way to run anything else."""

import re
from fractions import Fraction

LONGEST = 300
"""Characters of an expression."""

LARGEST_POWER = 64
LARGEST_DIGITS = 60
DEEPEST = 40

_TOKEN = re.compile(r"\s*(?:([0-9]+(?:\.[0-9]*)?|\.[0-9]+)|(\*\*|[-+*/%()]))")


class NotCalculable(Exception):
    """An expression that has no value: it is no arithmetic, too large, or divides by zero."""


def calculate(expression: str) -> int | float:
    """The value of an expression such as "3 * (120 + 35.5) / 2"; exact until it is shown.

    Knows + - * / % **, parentheses and the minus sign; thousands separators and dollar signs are passed over.
    """
    if len(expression) > LONGEST:
        raise NotCalculable(f"The expression is longer than {LONGEST} characters.")
    text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", expression.replace("$", ""))
    reader = _Reader(_tokens(text))
    value = reader.sum()
    if reader.peek() is not None:
        raise NotCalculable(f"{reader.peek()!r} was not expected there.")
    return value.numerator if value.denominator == 1 else float(value)


def _tokens(text: str) -> list[str]:
    tokens, place = [], 0
    text = text.rstrip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if not match:
            raise NotCalculable(f"{text[place:].strip()[:20]!r} is neither a number nor one of + - * / % ** ( ).")
        tokens.append(match[1] or match[2])
        place = match.end()
    return tokens


class _Reader:
    """Reads a sum of products of powers, as Python would."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.place = 0
        self.depth = 0

    def peek(self) -> str | None:
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def take(self) -> str | None:
        token = self.peek()
        self.place += 1
        return token

    def sum(self) -> Fraction:
        value = self.product()
        while self.peek() in ("+", "-"):
            sign = 1 if self.take() == "+" else -1
            value = _checked(value + sign * self.product())
        return value

    def product(self) -> Fraction:
        value = self.signed()
        while (operator := self.peek()) in ("*", "/", "%"):
            self.take()
            other = self.signed()
            if operator == "*":
                value = _checked(value * other)
            elif other == 0:
                raise NotCalculable("Division by zero.")
            else:
                value = _checked(value / other if operator == "/" else value % other)
        return value

    def signed(self) -> Fraction:
        self.depth += 1
        if self.depth > DEEPEST:
            raise NotCalculable("Too many signs or parentheses inside one another.")
        sign = 1
        if self.peek() in ("-", "+"):
            sign = -1 if self.take() == "-" else 1
            value = sign * self.signed()
        else:
            value = self.power()
        self.depth -= 1
        return value

    def power(self) -> Fraction:
        base = self.single()
        if self.peek() != "**":
            return base
        self.take()
        exponent = self.signed()
        if exponent.denominator != 1 or abs(exponent) > LARGEST_POWER:
            raise NotCalculable(f"Exponents are whole numbers from -{LARGEST_POWER} to {LARGEST_POWER}.")
        if base == 0 and exponent < 0:
            raise NotCalculable("Division by zero.")
        return _checked(base ** int(exponent))

    def single(self) -> Fraction:
        token = self.take()
        if token == "(":
            value = self.sum()
            if self.take() != ")":
                raise NotCalculable("A parenthesis is not closed.")
            return value
        if token is None or (not token[0].isdigit() and token[0] != "."):
            raise NotCalculable("A number is missing." if token is None else f"A number is missing before {token!r}.")
        return Fraction(token.rstrip(".") or "0")


def _checked(value: Fraction) -> Fraction:
    if max(abs(value.numerator), value.denominator) >= 10 ** (LARGEST_DIGITS * 5):
        raise NotCalculable("The numbers become too large.")
    return value
