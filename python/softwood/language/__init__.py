"""The loss language in Python: losses, and functions that are traced into its text."""
