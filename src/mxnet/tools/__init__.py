"""Commands for preparing data and for starting jobs."""
