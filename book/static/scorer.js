// Words of the course before names of the library: the glossary and the lectures come first.
var Scorer = { // var: the theme loads this file twice
  score: ([docname, , , , score]) => {
    if (docname.startsWith("NOTATION")) return score + 30;
    if (docname.startsWith("notebooks/")) return score + 20;
    return docname.startsWith("api/") || docname.startsWith("_modules/") ? score - 20 : score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
