"""The games: rules turned into problems. Models know cards and dates, and no engine."""
