"""Which Python for the browser the kit carries, as it was published; held together by a test."""

from __future__ import annotations

PYODIDE = "314.0.7"
# Of the package as npm publishes it.
PYODIDE_SHA256 = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"
# What its wheels are named after: Python, and the platform with its ABI.
PYTHON = "314"
ABI = "2026_0"
PLATFORM = f"pyemscripten_{ABI}_wasm32"
