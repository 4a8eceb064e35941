#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the root manifest with those of the packages; scripts/check-manifests calls it.

usage: compare_manifests.py ROOT_JSON PACKAGE_JSON...   (what `swift package dump-package` prints)

Every target and product under Packages must be declared at the root, but for tests. Those of applications,
benchmarks and tests may be. What is declared in both must be the same: path, dependencies, settings and all else.
"""
import json
import os
import re
import sys

KINDS = {
    "regular": "target", "executable": "executable target", "system": "system library", "test": "test target",
}
LANGUAGE = ["toolsVersion", "swiftLanguageVersions", "cLanguageStandard", "cxxLanguageStandard"]


def load(path):
    with open(path, encoding="utf-8") as file:
        package = json.load(file)
    package["folder"] = package["packageKind"]["root"][0]
    return package


root = load(sys.argv[1])
nested = [load(path) for path in sys.argv[2:]]
root_targets = {target["name"]: target for target in root["targets"]}
root_products = {product["name"]: product for product in root["products"]}
nested_targets = {target["name"]: target for package in nested for target in package["targets"]}
product_targets = {
    product["name"]: product["targets"] for package in [root, *nested] for product in package["products"]
}
differences = []


def relative(path):
    return os.path.relpath(path, root["folder"])


def text(value):
    return json.dumps(value, sort_keys=True)


def unordered(values):
    return sorted(values or [], key=text)


def dependencies(target):
    """Names of targets with their conditions: a product of another package stands for its targets."""
    found = []
    for dependency in target["dependencies"]:
        [(kind, (name, *_, condition))] = dependency.items()
        names = [name] if name in nested_targets or name in root_targets else product_targets.get(name, [name])
        found += [name if condition is None else f"{name} if {text(condition)}" for name in names]
    return sorted(found)


def facts(package, target):
    """What must be equal in both manifests, by the words of a report."""
    folder = "Tests" if target["type"] == "test" else "Sources"
    path = target.get("path") or f"{folder}/{target['name']}"
    known = {"name", "path", "dependencies", "settings", "packageAccess"}
    return {
        "path": relative(os.path.normpath(os.path.join(package["folder"], path))),
        "dependencies": dependencies(target),
        "settings": unordered(target["settings"]),
        **{
            key: unordered(value) if isinstance(value, list) else value
            for key, value in target.items()
            if key not in known
        },
    }


def compare(what, here, there, where):
    for key in sorted({*here, *there}):
        ours, theirs = here.get(key), there.get(key)
        if isinstance(ours, list) and isinstance(theirs, list) and ours != theirs:
            missing = [value for value in ours if value not in theirs]
            extra = [value for value in theirs if value not in ours]
            notes = [
                f"{word} {', '.join(value if isinstance(value, str) else text(value) for value in values)}"
                for word, values in [("lacks", missing), ("has too much:", extra)]
                if values
            ] or ["repeats an entry, or lacks a repeated one"]
            differences.append(f"{what}: {key} differ: the root {'; '.join(notes)} (compared with {where})")
        elif ours != theirs:
            differences.append(f"{what}: {key} is {text(theirs)} at the root, {text(ours)} in {where}")


def version(text_):
    return [int(part) for part in text_.split(".")]


for package in nested:
    where = relative(package["folder"]) + "/Package.swift"
    required = where.startswith("Packages/")

    for target in package["targets"]:
        name, kind = target["name"], KINDS.get(target["type"], target["type"])
        if name in root_targets:
            compare(f"{kind} {name}", facts(package, target), facts(root, root_targets[name]), where)
        elif required and target["type"] != "test":
            differences.append(f"{kind} {name} of {where} is not declared at the root")

    for product in package["products"]:
        name = product["name"]
        if name in root_products:
            compare(f"product {name}", product, root_products[name], where)
        elif required:
            differences.append(f"product {name} of {where} is not declared at the root")

    if any(target["name"] in root_targets for target in package["targets"]):
        compare("language", {key: package[key] for key in LANGUAGE}, {key: root[key] for key in LANGUAGE}, where)
        lowest = {platform["platformName"]: platform["version"] for platform in root["platforms"]}
        for platform in package["platforms"]:
            name, least = platform["platformName"], platform["version"]
            if name not in lowest or version(lowest[name]) < version(least):
                differences.append(f"platform {name}: {lowest.get(name, 'not named')} at the root, {least} in {where}")

    # scripts/packages reads path dependencies from the text; it must see what SwiftPM sees.
    with open(os.path.join(package["folder"], "Package.swift"), encoding="utf-8") as file:
        written = {os.path.basename(path) for path in re.findall(r'\.package\([^)]*path: *"([^"]*)"', file.read())}
    for dependency in package["dependencies"]:
        for local in dependency.get("fileSystem", []):
            if os.path.basename(local["path"]) not in written:
                path = os.path.relpath(local["path"], package["folder"])
                differences.append(f'{where}: write out .package(path: "{path}")')

known_products = {product["name"] for package in nested for product in package["products"]}
for name, target in root_targets.items():
    if name not in nested_targets and target["type"] != "test":
        differences.append(f"the root declares target {name}, which no package does")
for name in root_products:
    if name not in known_products:
        differences.append(f"the root declares product {name}, which no package does")

for difference in differences:
    print(f"check-manifests: {difference}")
if differences:
    sys.exit(1)
print(f"check-manifests: the root manifest agrees with {len(nested)} packages")
