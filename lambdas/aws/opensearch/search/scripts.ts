import { MAX_TERM_FREQUENCY } from '../../../domain/ports/index-reader.ts';
import { BM25_PARAMETERS } from '../../../domain/search/rank/bm25.ts';
import { SCORE_PARAMETERS as SCORE } from '../../../domain/search/rank/ranking.ts';
import { TERM_PARAMETERS } from '../../../domain/search/rank/weighted-terms.ts';
import { HASH_BYTES, LABEL_BITS, LABEL_SHIFT, OCCURRENCE_BYTES, POSITION_SHIFT } from '../index/term-occurrences.ts';

/*
 * Painless scripts that read doc values. Their sources are constants and all other values are parameters, so that
 * OpenSearch compiles each script once. The occurrences of a term in `chunks.terms` are adjacent and in text order.
 */

export const NO_COSINE = 2;
const ENTRY_BYTES = HASH_BYTES + OCCURRENCE_BYTES;

/** Returns Painless code that reads an unsigned number of `bytes` bytes at an offset. */
const NUMBER = (bytes: number, at: number): string =>
  Array.from({ length: bytes }, (_, i) => `((long) (bytes[i + ${at + i}] & 255) << ${8 * (bytes - 1 - i)})`).join(
    ' | ',
  );

/** Reads `chunks.terms`, a sorted list of entries. `i` and the ends are offsets in the bytes. */
const TERMS = `
long hashAt(byte[] bytes, int i) { return ${NUMBER(HASH_BYTES, 0)}; }
long occurrenceAt(byte[] bytes, int i) { return ${NUMBER(OCCURRENCE_BYTES, HASH_BYTES)}; }
int first(byte[] bytes, int start, int end, long hash) {
  int low = 0;
  int high = (end - start) / ${ENTRY_BYTES};
  while (low < high) {
    int middle = (low + high) >>> 1;
    if (hashAt(bytes, start + middle * ${ENTRY_BYTES}) < hash) low = middle + 1; else high = middle;
  }
  return start + low * ${ENTRY_BYTES};
}
`;

export const PAGE_STATE = 'state.found = [];';
export const PAGES = 'return state.found;';

/** Collects each page's score as a candidate, and its fields. */
export const PAGE_FIELDS = `
Map page = ['score': _score, 'urlHash': doc['urlHash'].value, 'titleLength': doc['titleLength'].value];
for (field in ['url', 'language', 'block']) if (doc[field].size() > 0) page[field] = doc[field].value;
for (field in ['tags', 'facts']) page[field] = new ArrayList(doc[field]);
state.found.add(page);`;

export const CHUNK_STATE = 'state.pages = new HashMap();';

/**
 * Collects for each page its key and its best chunks: `params.most` by score, as many by words, and as many by vector.
 * A chunk is a list of ord, length, link share in hundredths, cosine and block, then for each hash its frequency and
 * its occurrences. The score is close to that of domain/search/rank/ranking.ts and only selects chunks
 * (docs/decisions/021-candidates.md): it leaves out the last step, which keeps the order, and ignores question words of
 * a title and single parts of identifiers. `together` are identifiers, and words that follow each other as in the
 * query. A parameter that a request leaves out is null. A cosine of 0 with a block of the table carries no information:
 * the query has no word of the table.
 */
export const BEST_CHUNKS = `${TERMS}
int rankIn(List best, double score) {
  int rank = best.size();
  while (rank > 0 && score > (double) ((List) best.get(rank - 1)).get(0)) rank--;
  return rank;
}
double clamp(double number) { return Math.min(1, Math.max(0, number)); }
boolean follows(byte[] bytes, int i, int endOfFirst, int j, int endOfSecond, long distance) {
  while (i < endOfFirst && j < endOfSecond) {
    long between = (occurrenceAt(bytes, j) >> ${POSITION_SHIFT}) - (occurrenceAt(bytes, i) >> ${POSITION_SHIFT});
    if (between > 0 && between <= distance) return true;
    if (between > 0) i += ${ENTRY_BYTES}; else j += ${ENTRY_BYTES};
  }
  return false;
}
double agreement(long[] lengths, long most, Map params) {
  double weight = 0;
  long shared = 0;
  for (int t = 0; t < lengths.length; t++) {
    if (lengths[t] == 0 || lengths[t] > most) continue;
    weight += params.weights.get(t);
    shared += params.shared.get(t);
  }
  return weight == 0 ? 0 : weight / params.total * weight / (weight + params.extraWord * Math.max(0, most - shared));
}
List hashes = params.hashes;
List weights = params.weights;
double total = params.total;
int most = params.most;
long length = doc['chunks.length'].value;
double norm = ${BM25_PARAMETERS.k1} * (1 - ${BM25_PARAMETERS.b} + ${BM25_PARAMETERS.b} * length / params.averageLength);
BytesRef terms = doc['chunks.terms'].size() > 0 ? doc['chunks.terms'].value : null;
byte[] bytes = terms == null ? new byte[0] : terms.bytes;
int start = terms == null ? 0 : terms.offset;
int end = terms == null ? 0 : start + terms.length;
int[] froms = new int[hashes.size()];
int[] frequencies = new int[hashes.size()];
int[] counts = new int[weights.size()];
long[] labels = new long[weights.size()];
long[] titled = new long[weights.size()];
long titleLength = doc.containsKey('chunks.titleLength') ? doc['chunks.titleLength'].value : 1;
if (titleLength == 0) titleLength = 1;
for (int h = 0; h < froms.length; h++) {
  long hash = hashes.get(h);
  int from = first(bytes, start, end, hash);
  int frequency = 0;
  for (int i = from; i < end && frequency < ${MAX_TERM_FREQUENCY} && hashAt(bytes, i) == hash; i += ${ENTRY_BYTES})
    frequency++;
  if (frequency == 0) continue;
  froms[h] = from;
  frequencies[h] = frequency;
  int term = params.termOf.get(h);
  counts[term] += frequency;
  long occurrence = occurrenceAt(bytes, from);
  if ((occurrence & 1) == 1) titled[term] = titleLength;
  long label = (occurrence >> ${LABEL_SHIFT}) & ${2 ** LABEL_BITS - 1};
  if (label > 0 && (labels[term] == 0 || label < labels[term])) labels[term] = label;
}
boolean[] together = new boolean[params.formsOf.size()];
for (int w = 0; w < together.length; w++) {
  for (int h : params.wholesOf.get(w)) if (frequencies[h] > 0) together[w] = true;
  if (w == 0) continue;
  for (int h : params.formsOf.get(w)) {
    if (frequencies[h] == 0) continue;
    int endOfSecond = froms[h] + frequencies[h] * ${ENTRY_BYTES};
    for (int g : params.formsOf.get(w - 1)) {
      if (frequencies[g] == 0 || (together[w] && together[w - 1])) continue;
      int endOfFirst = froms[g] + frequencies[g] * ${ENTRY_BYTES};
      if (follows(bytes, froms[g], endOfFirst, froms[h], endOfSecond, params.distances.get(w)))
        together[w] = together[w - 1] = true;
    }
  }
}
double share = 0;
double inOrder = 0;
double bm25 = 0;
double label = 0;
double coincidence = 1;
for (int t = 0; t < counts.length; t++) {
  if (counts[t] == 0) continue;
  double weight = weights.get(t);
  int word = params.wordOf.get(t);
  share += weight;
  coincidence *= (double) params.commonness.get(t);
  bm25 += weight * counts[t] / (counts[t] + norm);
  if (word >= 0 && together[word]) inOrder += weight;
  if (labels[t] > 0) label = Math.max(label, agreement(labels, labels[t], params));
}
int block = doc.containsKey('chunks.block') && doc['chunks.block'].size() > 0 ? (int) doc['chunks.block'].value : -1;
double cosine = params.vector == null || doc['chunks.vector'].size() == 0
  ? ${NO_COSINE}.0 : cosineSimilarity(params.vector, doc['chunks.vector']);
if (cosine == 0 && block < 1) cosine = ${NO_COSINE}.0;
boolean isComparable = cosine != ${NO_COSINE}.0;
List scale = params.scales.get(block < 0 ? 0 : block);
double low = scale.get(0);
double near = isComparable ? (cosine * params.vectorLength - low) / ((double) scale.get(1) - low) : 0;
double title = agreement(titled, titleLength, params);
double asOne = params.isOneWord && share > 0 ? 1 : Math.min(1, inOrder / total / ${TERM_PARAMETERS.enoughTogether});
double distinction = 1 - coincidence;
double found = Math.max(Math.max(asOne, distinction), Math.max(label, title));
double meant = !isComparable || block == params.hash ? 1
  : 1 - ${SCORE.coincidence} * (1 - found) * (1 - clamp(near / ${SCORE.sameSubject}));
double text = ${SCORE.textWeight}
  * (1 - (1 - meant * Math.pow(bm25 / total, ${SCORE.bm25Exponent})) * (1 - ${SCORE.labelWeight} * label));
double own = 1 - ${SCORE.linkPenalty}
  * clamp((doc['chunks.linkShare'].value / 100.0 - ${SCORE.usualLinkShare}) / (1 - ${SCORE.usualLinkShare}));
double opening = Math.min(1, share / params.needed) + ${SCORE.gateDistinctionWeight} * distinction
  + ${SCORE.gateSemanticWeight} * Math.max(${SCORE.farthest}, near);
double gate = ${SCORE.gateFloor} + (1 - ${SCORE.gateFloor}) * clamp((opening - ${SCORE.gateFrom}) / ${SCORE.gateWidth});
double score = (1 - (1 - own * (double) scale.get(2) * clamp(near)) * (1 - own * text)
  * (1 - ${SCORE.titleWeight} * meant * title)) * gate;
long key = doc['chunks.page'].value;
List best = state.pages.computeIfAbsent(key, k -> [[], [], []]);
double[] scores = new double[] {score, bm25, isComparable ? cosine : -1};
List chunk = null;
for (int s = 0; s < scores.length; s++) {
  List list = best.get(s);
  int rank = rankIn(list, scores[s]);
  if (rank >= most) continue;
  if (chunk == null) {
    chunk = [doc['chunks.ord'].value, length, doc['chunks.linkShare'].value, cosine, block];
    for (int h = 0; h < froms.length; h++) {
      chunk.add(frequencies[h]);
      for (int i = 0; i < frequencies[h]; i++) chunk.add(occurrenceAt(bytes, froms[h] + i * ${ENTRY_BYTES}));
    }
  }
  list.add(rank, [scores[s], chunk]);
  if (list.size() > most) list.remove(most);
}`;

export const CHUNKS = `
List pages = [];
for (page in state.pages.entrySet()) {
  List chunks = [];
  for (list in page.getValue()) for (scored in list) if (!chunks.contains(scored[1])) chunks.add(scored[1]);
  pages.add(['page': page.getKey(), 'chunks': chunks]);
}
return pages;`;

/** Joins the lists of all shards. */
export const ALL = 'List all = []; for (found in states) if (found != null) all.addAll(found); return all;';

/** Tests whether a chunk has the words at successive positions, each by one of its terms. */
export const HAS_PHRASE = `${TERMS}
if (doc['chunks.terms'].size() == 0) return false;
BytesRef terms = doc['chunks.terms'].value;
byte[] bytes = terms.bytes;
int end = terms.offset + terms.length;
Set before = null;
for (word in params.words) {
  Set positions = new HashSet();
  for (hash in word) {
    for (int i = first(bytes, terms.offset, end, hash); i < end && hashAt(bytes, i) == hash; i += ${ENTRY_BYTES}) {
      long position = occurrenceAt(bytes, i) >> ${POSITION_SHIFT};
      if (before == null || before.contains(position - 1)) positions.add(position);
    }
  }
  if (positions.isEmpty()) return false;
  before = positions;
}
return true;`;

export const HAS_TEXT = "return doc['sought'].value.contains(params.text);";
