# SPDX-License-Identifier: Apache-2.0
"""Reads flags with the OpenFeature client, sends requests, and checks every answer.

Standard input is one JSON object:

  baseURL   the address of the server
  openAPI   the path of the protocol's OpenAPI document, or null: then nothing is checked
  headers   what the provider sends with every request (optional)
  steps     a list; each step is one of
            {"read": TYPE, "key": KEY, "default": VALUE, "context": {...}}   a read by the client
            {"send": METHOD, "path": PATH, "headers": {...}, "body": TEXT}   a plain request

Standard output is one JSON object:

  steps       a result for each step: of a read "value", "reason", "variant", "errorCode", "errorMessage"
              and "metadata"; of a request "status", "headers" (names in lower case) and "body"
  checked     how many answers were checked
  violations  what does not fit the document, each with method, path, status and message
  ownExample  what the document itself says about its own example, or null where it accepts it
"""
import copy
import json
import logging
import sys
from urllib.parse import urlsplit

import requests
from jsonschema import Draft202012Validator
from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012


class Contract:
    """The OpenAPI document."""


    def __init__(self, path):
        import yaml

        with open(path, encoding="utf-8") as file:
            self.written = yaml.safe_load(file)
        self.read = copy.deepcopy(self.written)
        schemas = self.read["components"]["schemas"]
        # The document says that a value is exactly one of its kinds, but "no value" is satisfied by every
        # object and "float" by every integer, so that it rejects all values. What is meant: any kind of
        # value, or none.
        kinds = schemas["evaluationSuccess"]["allOf"][1]
        kinds["anyOf"] = kinds.pop("oneOf")
        schemas["codeDefaultFlag"]["not"] = {"required": ["value"]}

    @staticmethod
    def validator(document, pointer):
        resource = Resource.from_contents(document, default_specification=DRAFT202012)
        registry = Registry().with_resource("urn:document", resource)
        return Draft202012Validator({"$ref": "urn:document#" + pointer}, registry=registry)

    def own_example(self):
        """What the document as it is written says about its example of a flag with a value."""
        operation = self.written["paths"]["/ofrep/v1/evaluate/flags/{key}"]["post"]
        example = operation["responses"]["200"]["content"]["application/json"]["example"]
        validator = self.validator(self.written, "/components/schemas/serverEvaluationSuccess")
        errors = [error.message for error in validator.iter_errors(example)]
        return errors[0] if errors else None

    def violations(self, method, path, status, headers, body):
        template = path if path in self.read["paths"] else "/ofrep/v1/evaluate/flags/{key}"
        operation = self.read["paths"][template].get(method.lower())
        if operation is None:
            return [f"the document has no {method} here"]
        response = operation["responses"].get(str(status))
        if response is None:
            return ["the document has no such status here"]
        errors = []
        for name, header in response.get("headers", {}).items():
            if name.lower() not in headers:
                errors.append(f"the header {name} is missing")
        media = response.get("content", {}).get("application/json")
        if media is None:
            if status == 304 and body:
                errors.append("a body with 304")
            return errors
        if not headers.get("content-type", "").startswith("application/json"):
            return errors + ["the content type is not application/json"]
        pointer = "/".join(
            part.replace("~", "~0").replace("/", "~1")
            for part in (
                "", "paths", template, method.lower(), "responses", str(status), "content",
                "application/json", "schema",
            )
        )
        validator = self.validator(self.read, pointer)
        return errors + [
            f"{error.json_path}: {error.message}" for error in validator.iter_errors(json.loads(body))
        ]


class Session:
    def __init__(self, job):
        self.base = job["baseURL"]
        self.contract = Contract(job["openAPI"]) if job["openAPI"] else None
        self.checked = 0
        self.violations = []
        headers = job.get("headers")
        provider = OFREPProvider(self.base, headers_factory=(lambda: headers) if headers else None)
        # Proxies of the environment are for the outside.
        provider.session.trust_env = False
        provider.session.hooks["response"].append(lambda answer, **_: self.check(answer))
        api.set_provider(provider)
        self.client = api.get_client()
        self.plain = requests.Session()
        self.plain.trust_env = False
        self.plain.hooks["response"].append(lambda answer, **_: self.check(answer))

    def check(self, answer):
        if self.contract is None:
            return
        self.checked += 1
        headers = {name.lower(): value for name, value in answer.headers.items()}
        path = urlsplit(answer.request.url).path
        found = self.contract.violations(
            answer.request.method, path, answer.status_code, headers, answer.text
        )
        for message in found:
            self.violations.append(
                f"{answer.request.method} {path}: {answer.status_code}: {message}: {answer.text}"
            )

    def read(self, step):
        attributes = dict(step.get("context", {}))
        context = EvaluationContext(attributes.pop("targetingKey", None), attributes)
        read = getattr(self.client, f"get_{step['read']}_details")
        details = read(step["key"], step["default"], context)
        return {
            "value": details.value,
            "type": type(details.value).__name__,
            "reason": None if details.reason is None else str(details.reason.value),
            "variant": details.variant,
            "errorCode": None if details.error_code is None else details.error_code.value,
            "errorMessage": details.error_message,
            "metadata": dict(details.flag_metadata),
        }

    def send(self, step):
        answer = self.plain.request(
            step["send"], self.base + step["path"], headers=step.get("headers"),
            data=step.get("body", "").encode(), timeout=30,
        )
        return {
            "status": answer.status_code,
            "headers": {name.lower(): value for name, value in answer.headers.items()},
            "body": answer.text,
        }

    def run(self, steps):
        return [self.read(step) if "read" in step else self.send(step) for step in steps]


def main():
    # The client logs every failed read; here they are results.
    logging.disable(logging.CRITICAL)
    job = json.load(sys.stdin)
    session = Session(job)
    results = session.run(job["steps"])
    json.dump(
        {
            "steps": results,
            "checked": session.checked,
            "violations": session.violations,
            "ownExample": session.contract.own_example() if session.contract else None,
        },
        sys.stdout,
    )


main()
