import { MAX_TERM_FREQUENCY } from '../../../core/ports/page-index.ts';

/*
 * Painless scripts that read doc values. Their sources are constants and everything else is a parameter, so that
 * OpenSearch compiles each of them once. The values of `chunks.terms` are sorted, so the occurrences of a term are
 * adjacent and in text order.
 */

/** Bits below the term's hash in `chunks.terms`: position, index and label length (term-occurrences.ts). */
export const OCCURRENCE_BITS = 23;
export const NO_COSINE = 2;

/** Binary search for the first value of a hash. */
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

/** For a chunk: ord, length, link share in hundredths, cosine; for each hash its frequency, then its occurrences. */
export const CHUNK_FEATURES = `${FIRST}
def found = [doc['chunks.ord'].value, doc['chunks.length'].value, doc['chunks.linkShare'].value];
found.add(params.vector == null || doc['chunks.vector'].size() == 0
  ? ${NO_COSINE}.0 : cosineSimilarity(params.vector, doc['chunks.vector']));
def values = doc['chunks.terms'];
for (hash in params.hashes) {
  int count = 0;
  int counted = found.size();
  found.add(0);
  for (int i = first(values, hash, ${OCCURRENCE_BITS}); i < values.size() && count < ${MAX_TERM_FREQUENCY}; i++) {
    long value = values.get(i);
    if ((value >> ${OCCURRENCE_BITS}) != hash) break;
    found.add(value & ${2 ** OCCURRENCE_BITS - 1});
    count++;
  }
  found.set(counted, count);
}
return found;`;

/** For each hash: 1 if the page's title has the term, else 0. */
export const TITLE_FEATURES = `${FIRST}
def found = [];
def values = doc['titleTerms'];
for (hash in params.hashes) {
  int i = first(values, hash, 0);
  found.add(i < values.size() && values.get(i) == hash ? 1 : 0);
}
return found;`;

/** Whether a chunk has the words at successive positions, each by one of its terms. */
export const HAS_PHRASE = `${FIRST}
def values = doc['chunks.terms'];
Set before = null;
for (word in params.words) {
  Set positions = new HashSet();
  for (hash in word) {
    for (int i = first(values, hash, ${OCCURRENCE_BITS}); i < values.size(); i++) {
      long value = values.get(i);
      if ((value >> ${OCCURRENCE_BITS}) != hash) break;
      long position = (value & ${2 ** OCCURRENCE_BITS - 1}) >> params.positionShift;
      if (before == null || before.contains(position - 1)) positions.add(position);
    }
  }
  if (positions.isEmpty()) return false;
  before = positions;
}
return true;`;

export const HAS_TEXT = "return doc['sought'].value.contains(params.text);";
