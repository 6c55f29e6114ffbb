"""The command line's parts; each command imports what it needs only when it runs."""
