"""Stands for the package `mock`, which became a part of Python."""

from unittest.mock import MagicMock as MagicMock
from unittest.mock import Mock as Mock
from unittest.mock import call as call
from unittest.mock import patch as patch
