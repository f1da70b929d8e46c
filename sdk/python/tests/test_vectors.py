"""The library agrees with the server on every vector: what is signed, what a receiver makes of a delivery, what an amount
is, what an error says, what may be tried again, and what takes a key."""

from __future__ import annotations

import base64
import inspect
import json
import re
import sys
import unittest
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, get_args

import mfuko
from mfuko import (
    NotificationError,
    Receiver,
    errors,
    format_amount,
    from_minor,
    is_amount,
    receiver,
    retry,
    routes,
    shapes,
    signatures,
    to_minor,
)

HERE = Path(__file__).resolve().parent


def read(name: str) -> Any:
    return json.loads((HERE.parents[1] / "vectors" / f"{name}.json").read_text("utf-8"))


class Signatures(unittest.TestCase):
    def test_each(self) -> None:
        cases = read("signatures")["cases"]
        self.assertGreater(len(cases), 10)
        for one in cases:
            with self.subTest(one["name"]):
                body = base64.b64decode(one["body_base64"])
                self.assertEqual(body, one["body"].encode())
                other = next(case["secret"] for case in cases if case["secret"] != one["secret"])
                about = {"id": one["id"], "timestamp": str(one["timestamp"]), "signature": one["webhook_signature"]}
                for secret, expected in ((one["secret"], True), (other, False)):
                    self.assertIs(signatures.is_webhook_signature(secret, **about, body=body), expected)
                    given = signatures.is_body_signature(secret, signatures=one["svc_signature"], body=body)
                    self.assertIs(given, expected)


class Deliveries(unittest.TestCase):
    def test_each(self) -> None:
        vectors = read("deliveries")
        self.assertGreater(len(vectors["cases"]), 30)
        kinds: tuple[tuple[Literal["standard", "body"], str], ...] = (("standard", "standard"), ("body", "body_only"))
        for one in vectors["cases"]:
            for signature, expected in kinds:
                with self.subTest(one["name"], signature=signature):
                    reader = Receiver(
                        one["secrets"],
                        signature=signature,
                        tolerance_seconds=vectors["tolerance_seconds"],
                        now=lambda: one["now"],  # noqa: B023 (called before the next case)
                    )
                    headers, body = one["headers"], base64.b64decode(one["body_base64"])
                    self.assertEqual(verdict(reader, headers, body), one[expected])
                    pairs = [(name.encode(), text_bytes(value)) for name, value in flat(headers)]
                    self.assertEqual(verdict(reader, pairs, body), one[expected], "the same with pairs of bytes")

    def test_reasons(self) -> None:
        found = {one[kind] for one in read("deliveries")["cases"] for kind in ("standard", "body_only")}
        self.assertEqual(found - {"ok"}, set(get_args(receiver.Reason)))


def flat(headers: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        (name, value)
        for name, values in headers.items()
        for value in (values if isinstance(values, list) else [values])
    ]


def text_bytes(value: str) -> bytes:
    return value.encode("latin-1")


def verdict(reader: Receiver, headers: Any, body: bytes) -> str:
    try:
        reader.read(headers, body)
    except NotificationError as error:
        return error.reason
    return "ok"


class Amounts(unittest.TestCase):
    def test_currencies(self) -> None:
        self.assertEqual(mfuko.CURRENCIES, read("amounts")["currencies"])

    def test_each(self) -> None:
        for one in read("amounts")["cases"]:
            text, currency, minor = one["text"], one["currency"], one["minor"]
            with self.subTest(text[:30], currency=currency):
                self.assertIs(is_amount(text, currency), one["payable"])
                if minor is None:
                    self.assertRaises(ValueError, to_minor, text, currency)
                    continue
                self.assertEqual(to_minor(text, currency), int(minor))
                self.assertEqual(from_minor(int(minor), currency), one["decimal"])
                # What came as a JSON number is the same amount: here nothing becomes a float.
                self.assertEqual(to_minor(mfuko_number(one["decimal"]), currency), int(minor))
                self.assertEqual(to_minor(Decimal(text), currency), int(minor))

    def test_what_is_no_currency(self) -> None:
        for code in ("EUR", "usd", "", "__class__"):
            self.assertRaises(ValueError, to_minor, "1", code)

    def test_floats_are_refused(self) -> None:
        wrong: Any
        for wrong in (12.5, 1.0, float("nan"), True, None, b"1"):
            for function in (to_minor, is_amount, format_amount):
                with self.subTest(wrong, function=function.__name__):
                    self.assertRaises(TypeError, function, wrong, "USD")

    def test_odd_decimals(self) -> None:
        for text in ("NaN", "Infinity", "1E+999999", "1E-999999", "-1", "-0", "9" * 65):
            with self.subTest(text):
                self.assertRaises(ValueError, to_minor, Decimal(text), "USD")
        self.assertRaises(ValueError, to_minor, "1\n", "UGX")
        self.assertEqual(to_minor(Decimal("1E+3"), "UGX"), 1000)

    def test_for_people(self) -> None:
        self.assertEqual(format_amount(10_000, "UGX"), "UGX 10,000")
        self.assertEqual(format_amount("1250.5", "KES"), "KES 1,250.50")
        self.assertEqual(format_amount(Decimal("90071992547409.91"), "USD"), "USD 90,071,992,547,409.91")
        self.assertEqual(format_amount("-0.05", "USD"), "USD -0.05")
        self.assertEqual(format_amount(0, "USD"), "USD 0.00")
        self.assertEqual(from_minor(-5, "USD"), "-0.05")
        for wrong in ("0.001", "1,000", "", "1e99"):
            self.assertRaises(ValueError, format_amount, wrong, "USD")


def mfuko_number(text: str) -> Any:
    from mfuko.content import read_json

    return read_json(text.encode())


class Errors(unittest.TestCase):
    def test_each(self) -> None:
        for one in read("errors")["cases"]:
            with self.subTest(one["name"]):
                headers = {name.lower(): value for name, value in one.get("headers", {}).items()}
                try:
                    body = json.loads(one["body"])
                except ValueError:
                    body = one["body"]
                failure = errors.failure_of(
                    status=one["status"],
                    body=body,
                    request_id=headers.get("x-request-id"),
                    retry_after=headers.get("retry-after"),
                )
                said = {
                    name: getattr(failure, name)
                    for name in ("code", "request_id", "errors", "retry_after", "attempts_left")
                }
                self.assertEqual(said, one["expected"])

    def test_codes(self) -> None:
        self.assertEqual({one["code"] for one in read("errors")["codes"]}, set(get_args(shapes.ErrorCode)))


class Repeating(unittest.TestCase):
    def test_each(self) -> None:
        for one in read("retries")["cases"]:
            with self.subTest(str(one)):
                may = retry.may_repeat(method=one["method"], has_key=one["has_key"], status=one["status"])
                self.assertIs(may, one["repeat"])


class Routes(unittest.TestCase):
    def setUp(self) -> None:
        self.cases = {f"{one['method']} {one['path']}": one["takes_key"] for one in read("routes")["cases"]}

    def test_keys(self) -> None:
        self.assertEqual(set(routes.KEYED_ROUTES), {route for route, keyed in self.cases.items() if keyed})
        for route, keyed in self.cases.items():
            method, _, path = route.partition(" ")
            with self.subTest(route):
                self.assertIs(routes.takes_key(method, re.sub(r":\w+", "X1", path)), keyed)

    def test_text(self) -> None:
        """What the description of the service says of each answer that is a success."""
        document = json.loads((HERE.parents[2] / "docs/reference/openapi.json").read_text("utf-8"))
        texts = set()
        for path, operations in document["paths"].items():
            for method, operation in operations.items():
                successes = [one for status, one in operation["responses"].items() if status.startswith("2")]
                if any("application/json" not in one["content"] for one in successes):
                    texts.add(f"{method.upper()} {path}".replace("{", ":").replace("}", ""))
        self.assertEqual(set(routes.TEXT_ROUTES), texts)

    def test_every_call_is_of_a_route(self) -> None:
        called = set()
        for path in sorted((HERE.parent / "mfuko").glob("*.py")):
            code = re.sub(r"\s+", " ", path.read_text("utf-8"))
            called |= {f"{method} {path}" for method, path in re.findall(r'"([A-Z]+)", "(/api/[^"]+)"', code)}
            called |= {f"GET {path}" for path in re.findall(r'\.page\( ?"(/api/[^"]+)"', code)}
        self.assertGreater(len(called), 60)
        self.assertEqual(called - set(self.cases), set())

    def test_every_shape_exists(self) -> None:
        for path in sorted((HERE.parent / "mfuko").glob("*.py")):
            for name in set(re.findall(r"\bshapes\.([A-Z]\w+)", path.read_text("utf-8"))):
                self.assertTrue(hasattr(shapes, name), f"{path.name} names {name}, which is no shape")


class Package(unittest.TestCase):
    def test_version(self) -> None:
        from mfuko.transport import USER_AGENT

        about = (HERE.parent / "pyproject.toml").read_text("utf-8")
        self.assertIn(f'version = "{mfuko.__version__}"', about)
        self.assertEqual(USER_AGENT, f"mfuko-python/{mfuko.__version__}")

    @unittest.skipUnless(hasattr(sys, "stdlib_module_names"), "Python 3.9 does not say what its library has")
    def test_needs_the_standard_library_only(self) -> None:
        for path in sorted((HERE.parent / "mfuko").glob("*.py")):
            names = re.findall(r"^(?:import|from) (\w+)", path.read_text("utf-8"), re.MULTILINE)
            self.assertEqual(set(names) - set(sys.stdlib_module_names), set(), path.name)

    def test_what_is_exported(self) -> None:
        for name in mfuko.__all__:
            self.assertTrue(hasattr(mfuko, name), name)
        for client in (mfuko.MerchantClient, mfuko.PlatformClient, mfuko.Receiver):
            self.assertTrue(inspect.getdoc(client))


if __name__ == "__main__":
    unittest.main()
