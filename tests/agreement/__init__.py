"""Random mechanisms over twelve decades, advanced by every solver, with and without edits: they agree, or say that they do not."""
