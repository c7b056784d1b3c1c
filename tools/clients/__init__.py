"""Libraries built on MXNet: how they are installed beside Glueball, and a program for each."""
