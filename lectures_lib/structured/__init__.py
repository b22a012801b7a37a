"""Structured prediction: outputs that are taggings or parses (L2's second half).

The contract is three functions, see `Problem`: joint features f(x, y), inference argmax, loss.
Problems that keep it: `Classes`, `Chain`, `Parses`. Learners know nothing else.
"""

from .._moved import structured as __getattr__  # noqa: F401
from ..proof.collins import StructuredBound, collins_bound, collins_hinge_bound
from ..proof.structural import StructuralCertificate, certify
from .beam import beam_perceptron, beam_search, greedy_example
from .chains import Chain, from_dictionaries
from .contract import Classes, Index, Problem, enumerate_argmax
from .decoders import (
    Decoded,
    WordList,
    best_word,
    chain_score,
    enumerate_taggings,
    follow,
    forward,
    viterbi,
    viterbi_k_best,
)
from .frank_wolfe import StructuralSVM, structural_svm
from .grammar import Grammar, Parses, Rule, bracketed, cky, labelled_spans, leaves, uses
from .learners import (
    Mistake,
    StructuredRun,
    averaged_structured_perceptron,
    radius,
    structured_perceptron,
    update_gain,
)
from .probabilities import Marginals, marginals, soft_forward

__all__ = [
    "Chain",
    "Classes",
    "Decoded",
    "Grammar",
    "Index",
    "Marginals",
    "Mistake",
    "Parses",
    "Problem",
    "Rule",
    "StructuralCertificate",
    "StructuralSVM",
    "StructuredBound",
    "StructuredRun",
    "WordList",
    "averaged_structured_perceptron",
    "beam_perceptron",
    "beam_search",
    "best_word",
    "bracketed",
    "certify",
    "chain_score",
    "cky",
    "collins_bound",
    "collins_hinge_bound",
    "enumerate_argmax",
    "enumerate_taggings",
    "follow",
    "forward",
    "from_dictionaries",
    "greedy_example",
    "labelled_spans",
    "leaves",
    "marginals",
    "radius",
    "soft_forward",
    "structural_svm",
    "structured_perceptron",
    "update_gain",
    "uses",
    "viterbi",
    "viterbi_k_best",
]
