"""The version: that of the interface, then the product's own as the local part."""

PRODUCT_VERSION = "0.2.0"
__version__ = f"1.9.1+glueball.{PRODUCT_VERSION}"
