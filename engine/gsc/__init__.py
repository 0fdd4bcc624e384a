"""GSC text in, Python code out: scanner, parser, syntax tree, binding, analysis, emitter."""
