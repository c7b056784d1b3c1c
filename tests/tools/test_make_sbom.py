"""The bill of materials lists what an installation brings."""

from __future__ import annotations

import pytest

from tools import make_sbom


@pytest.fixture(scope="module")
def bill():
    return make_sbom.make_bill()


def test_direct_and_indirect_packages_are_listed_with_tested_releases(bill):
    versions = {item["name"]: item["version"] for item in bill["components"]}
    pins = make_sbom.read_pins()
    assert {"numpy", "torch", "tqdm", "sympy"} <= versions.keys()
    assert "pytest" not in versions
    assert versions["numpy"] == pins["numpy"]
    assert versions["torch"] == pins["torch"]


def test_every_reference_leads_to_a_component(bill):
    components = [bill["metadata"]["component"], *bill["components"]]
    known = {item["bom-ref"] for item in components}
    assert len(known) == len(components)
    assert {item["ref"] for item in bill["dependencies"]} == known
    assert {name for item in bill["dependencies"] for name in item["dependsOn"]} <= known


def test_licences_are_stated(bill):
    assert all(item.get("licenses") for item in bill["components"] if item["name"] != "setuptools")


def test_the_same_tree_gives_the_same_bill(bill):
    assert make_sbom.make_bill() == bill


def test_extras_add_packages(bill):
    with_pictures = make_sbom.make_bill(["plot"])
    names = {item["name"] for item in with_pictures["components"]}
    assert {"matplotlib", "pillow"} <= names - {item["name"] for item in bill["components"]}
    assert with_pictures["serialNumber"] != bill["serialNumber"]
