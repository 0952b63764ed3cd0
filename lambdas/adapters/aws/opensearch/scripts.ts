import { MAX_TERM_FREQUENCY } from '../../../core/ports/page-index.ts';

/*
 * What the engine computes from doc values. The sources are constants and all that varies is a parameter, so that each is compiled once.
 * Values of `chunks.terms` are sorted, so that the occurrences of a term stand together.
 */

/** Bits below a term's hash in `chunks.terms`: where it stands, and the length of its label (term-places.ts). */
export const PLACE_BITS = 23;
/** The number below a term's hash in the page's `terms`: whether the title has it. */
export const TITLE_BITS = 1;
/** In place of a cosine where there is none. */
export const NO_COSINE = 2;

const FIRST = `
int first(def values, long hash, int bits) {
  int low = 0;
  int high = values.size();
  while (low < high) {
    int middle = (low + high) >>> 1;
    long value = values.get(middle);
    if ((value >> bits) < hash) low = middle + 1; else high = middle;
  }
  return low;
}
`;

/** For a chunk: ord, length, share of links in hundredths, cosine; then for each of the hashes how often it occurs and in which places. */
export const CHUNK_EVIDENCE = `${FIRST}
def found = [doc['chunks.ord'].value, doc['chunks.length'].value, doc['chunks.linkShare'].value];
found.add(params.vector == null || doc['chunks.vector'].size() == 0
  ? ${NO_COSINE}.0 : cosineSimilarity(params.vector, doc['chunks.vector']));
def values = doc['chunks.terms'];
for (hash in params.hashes) {
  int count = 0;
  int counted = found.size();
  found.add(0);
  for (int i = first(values, hash, ${PLACE_BITS}); i < values.size() && count < ${MAX_TERM_FREQUENCY}; i++) {
    long value = values.get(i);
    if ((value >> ${PLACE_BITS}) != hash) break;
    found.add(value & ${2 ** PLACE_BITS - 1});
    count++;
  }
  found.set(counted, count);
}
return found;`;

/** For a page and each of the hashes: 2 if its title has it, 1 if any of it has, else 0. */
export const PAGE_EVIDENCE = `${FIRST}
def found = [];
def values = doc['terms'];
for (hash in params.hashes) {
  int i = first(values, hash, ${TITLE_BITS});
  long value = i < values.size() ? values.get(i) : -1;
  found.add((value >> ${TITLE_BITS}) == hash ? 1 + (value & 1) : 0);
}
return found;`;

/** Whether a chunk has one term of each of the words, word after word. */
export const HAS_PHRASE = `${FIRST}
def values = doc['chunks.terms'];
Set before = null;
for (word in params.words) {
  Set places = new HashSet();
  for (hash in word) {
    for (int i = first(values, hash, ${PLACE_BITS}); i < values.size(); i++) {
      long value = values.get(i);
      if ((value >> ${PLACE_BITS}) != hash) break;
      long position = (value & ${2 ** PLACE_BITS - 1}) >> params.below;
      if (before == null || before.contains(position - 1)) places.add(position);
    }
  }
  if (places.isEmpty()) return false;
  before = places;
}
return true;`;

/** Whether a page's title or URL has a text. */
export const HAS_TEXT = "return doc['sought'].value.contains(params.text);";
