"""The constraint language, its engines and the lazy result. Nothing here knows a card."""
