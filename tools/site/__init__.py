"""Makes what the site shows beside the pages of docs/: the API, examples, files of the project."""
