"""The package on systems other than Linux."""
