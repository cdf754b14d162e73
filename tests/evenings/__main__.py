"""Record evenings anew, all or those so named: `python -m tests.evenings [-k NAME]`."""

import os
import sys

import pytest

os.environ["RECORD"] = "evenings"
sys.exit(pytest.main(["-n", "0", "tests/evenings", *sys.argv[1:]]))
