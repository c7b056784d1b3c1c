"""The exception that skips a test."""

from unittest import SkipTest as SkipTest
