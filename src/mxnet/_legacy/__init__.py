"""What exists for one client library, or for one private name of the original."""
