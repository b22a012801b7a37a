"""Wrong arguments for every public function: what comes back is an answer or a sentence of ours.

``python -m tools.fuzz`` replaces one argument of one call at a time and prints what is obscure: an
error that no line of this library raised on purpose, or one that is no ValueError or TypeError.
"""
