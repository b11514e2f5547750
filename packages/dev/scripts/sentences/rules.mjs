/** A rule of plain English; docs/writing.md explains each. */
const words = (...patterns) => new RegExp(`\\b(?:${patterns.join('|')})\\b`, 'i');

const QUESTION = /^(?:what|whose|where|whether|how|why|who|which)\b/i;
const CONJUNCTION = /^(?:and|or|but|nor|so|than|that|though|yet)\b/i;
const PREPOSITION =
  /^(?:about|above|across|after|against|among|around|as|at|before|behind|below|beneath|beside|besides|between|beyond|by|despite|during|except|for|from|in|inside|into|like|near|of|off|on|onto|out|outside|over|past|since|through|to|toward|towards|under|until|up|upon|via|with|within|without)\b/i;
const PRONOUN =
  /^(?:anything|everybody|everything|it|its|neither|none|not|nothing|their|them|they|those)\b/i;

/** Printed alone, "is open again" has no subject; "opens again" has the unit of the `describe`. */
const SUBJECTLESS =
  /^(?:[A-Z][A-Za-z]*-?[\d.]+:? )?(?:is|isn’t|are|aren’t|was|were|has|have|had|can|cannot|may|must|do|get|gets|it|they|this|these|those|one|some|both|each of them|the same)\b/;
const VERB =
  /\b(?:is|isn’t|are|aren’t|was|were|has|have|had|can|cannot|can’t|can't|does|doesn’t|do|don’t|did|must|may|might|will|would|should|[a-z]{2,}[a-rt-z]s|[a-z]+(?:ses|sses|uses|closes|loses|poses))\b/i;

const MAX_WORDS = 35;

/**
 * Rules by name. `wrong` gets the text of a sentence without its code spans and returns whether it
 * breaks the rule; `in` lists the kinds of text that the rule applies to (default: all).
 */
const RULES = {
  'begins with a question word': {
    in: ['docstring', 'comment', 'title'],
    wrong: (text) => QUESTION.test(text) && !text.endsWith('?'),
  },
  'begins with a preposition': {
    in: ['docstring', 'comment'],
    wrong: (text) => PREPOSITION.test(text) && !text.includes(','),
  },
  'title begins with a conjunction or a preposition': {
    in: ['title'],
    wrong: (text) => CONJUNCTION.test(text) || PREPOSITION.test(text),
  },
  'begins with a conjunction': {
    in: ['docstring', 'comment'],
    wrong: (text) => CONJUNCTION.test(text) && !/^(?:but|so)\b/i.test(text),
  },
  'docstring begins with a pronoun': {
    in: ['docstring'],
    wrong: (text) => PRONOUN.test(text),
  },
  'title lacks its subject': { in: ['title'], wrong: (text) => SUBJECTLESS.test(text) },
  'title has no verb': { in: ['title'], wrong: (text) => !VERB.test(text) },
  'what as a noun': {
    wrong: (text) =>
      /(?<!\$(?:labels\.)?)\bwhat(?:ever)?\b(?! to\b)/i.test(text) && !text.endsWith('?'),
  },
  'so many as a placeholder': {
    wrong: (text) => /\bso (?:long|many|much|often)\b(?!,? that\b)/i.test(text),
  },
  ask: { wrong: (text) => words('ask', 'asks', 'asked', 'asking').test(text) },
  look: { wrong: (text) => words('looks?', 'looked', 'looking').test(text) },
  say: {
    wrong: (text) => words('says?', 'said', 'saying', 'tells?', 'told', 'telling').test(text),
  },
  stand: { wrong: (text) => words('stands?', 'stood', 'standing').test(text) },
  take: { wrong: (text) => words('takes?', 'took', 'taken', 'taking').test(text) },
  hold: {
    wrong: (text) =>
      words(
        '(?:holds?|held|holding) (?:back|good|true|up)',
        '(?:proofs?|that|it|they|not|doesn’t|don’t|still) holds?(?=[.,;:)]|$)',
      ).test(text),
  },
  way: {
    wrong: (text) =>
      words(
        '(?:on|under) (?:(?:its|the|their) )?way',
        'way of',
        'both ways',
        '(?:any|either|which|whichever) way',
        '(?:gave|give|given|gives|giving) way',
      ).test(text),
  },
  give: {
    wrong: (text) => words('(?:gave|give|given|gives|giving) (?:away|back|on|out|up)').test(text),
  },
  idiom: {
    wrong: (text) =>
      words(
        'all the same',
        'anew',
        'anybody',
        'as far as',
        '(?<!right )away',
        'beside',
        'besides',
        'by (?:itself|themselves)',
        'everybody',
        'go(?:es|ing|ne)? on',
        'in hand',
        'in vain',
        'leads? back',
        'meanwhile',
        'nobody',
        'of (?:its|their) own(?=[.,;:)]|$| (?:and|as|by|for|from|in|on|or|that|to|which|with)\\b)',
        'of late',
        'puts? right',
        'somebody',
        'stir(?:s|red)?',
        'went on',
        'whoever',
      ).test(text),
  },
  'a sentence is too long': {
    in: ['docstring', 'comment', 'document'],
    wrong: (text) => text.split(/\s+/).filter((word) => !/^x\b/.test(word)).length > MAX_WORDS,
  },
};

/** Names of the rules that a sentence of this kind breaks. */
export function broken({ kind, text }) {
  return Object.entries(RULES)
    .filter(([, rule]) => (rule.in ?? [kind]).includes(kind) && rule.wrong(text))
    .map(([name]) => name);
}
