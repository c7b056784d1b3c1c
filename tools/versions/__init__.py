"""What a release of MXNet 2 has, and what of it is here."""
