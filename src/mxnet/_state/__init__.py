"""State of threads, devices and processes: modes, locks, random generators, jobs."""
