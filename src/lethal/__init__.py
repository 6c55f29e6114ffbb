"""lethal."""
