"""The version: that of the interface, then the product's own as the local part."""

PRODUCT_VERSION = "0.2.0"
VERSIONS = {1: f"1.9.1+glueball.{PRODUCT_VERSION}", 2: f"2.0.0b1+glueball.{PRODUCT_VERSION}"}
"""What programs read as `mx.__version__`, by whose rules hold; see `mx.set_version`."""
__version__ = VERSIONS[1]
