"""Programs for those who work on the project; a package, so that tests can import them."""
