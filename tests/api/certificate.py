"""A certificate for this machine, for the time of a test."""

from __future__ import annotations

import ssl
from pathlib import Path

import trustme


class Files:
    """A certificate for this machine, its key, and a context that trusts its authority."""

    def __init__(self, folder: Path) -> None:
        authority = trustme.CA()
        made = authority.issue_cert("localhost", "127.0.0.1")
        self.certificate, self.key = str(folder / "cert.pem"), str(folder / "key.pem")
        made.private_key_pem.write_to_path(self.key)
        for blob in made.cert_chain_pems:
            blob.write_to_path(self.certificate, append=True)
        self.trusting = ssl.create_default_context()
        authority.configure_trust(self.trusting)

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment variables for a server with the certificate."""
        return {"CHICAGO_CERT": self.certificate, "CHICAGO_KEY": self.key}
