import { MAX_TERM_FREQUENCY } from '../../../core/ports/page-index.ts';
import { HASH_BYTES, LABEL_BITS, LABEL_SHIFT, OCCURRENCE_BYTES, POSITION_SHIFT } from './term-occurrences.ts';

/*
 * Painless scripts that read doc values. Their sources are constants and everything else is a parameter, so that
 * OpenSearch compiles each of them once. The occurrences of a term in `chunks.terms` are adjacent and in text order.
 */

export const NO_COSINE = 2;
const ENTRY_BYTES = HASH_BYTES + OCCURRENCE_BYTES;

/** An unsigned number of some bytes at an offset. */
const NUMBER = (bytes: number, at: number): string =>
  Array.from({ length: bytes }, (_, i) => `((long) (bytes[i + ${at + i}] & 255) << ${8 * (bytes - 1 - i)})`).join(
    ' | ',
  );

/** Reads `chunks.terms`, a sorted list of entries; `i` and ends are offsets in the bytes. */
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

/** Each page's score as a candidate, and its fields. */
export const PAGE_FIELDS = `
Map page = ['score': _score, 'urlHash': doc['urlHash'].value, 'titleLength': doc['titleLength'].value];
for (field in ['url', 'language', 'block']) if (doc[field].size() > 0) page[field] = doc[field].value;
for (field in ['tags', 'facts']) page[field] = new ArrayList(doc[field]);
state.found.add(page);`;

export const CHUNK_STATE = 'state.pages = new HashMap();';

/**
 * For each page its key and its best chunks: `params.most` by words, as many by vector, and as many by both. For each
 * of these: ord, length, link share in hundredths, cosine; for each hash its frequency, then its occurrences.
 */
export const BEST_CHUNKS = `${TERMS}
int rankIn(List best, double score) {
  int rank = best.size();
  while (rank > 0 && score > (double) ((List) best.get(rank - 1)).get(0)) rank--;
  return rank;
}
List hashes = params.hashes;
List weights = params.weights;
int most = params.most;
long length = doc['chunks.length'].value;
double norm = params.k1 * (1 - params.b + params.b * length / params.averageLength);
BytesRef terms = doc['chunks.terms'].size() > 0 ? doc['chunks.terms'].value : null;
byte[] bytes = terms == null ? new byte[0] : terms.bytes;
int start = terms == null ? 0 : terms.offset;
int end = terms == null ? 0 : start + terms.length;
int[] froms = new int[hashes.size()];
int[] frequencies = new int[hashes.size()];
double words = 0;
double share = 0;
for (int h = 0; h < froms.length; h++) {
  long hash = hashes.get(h);
  int from = first(bytes, start, end, hash);
  int frequency = 0;
  for (int i = from; i < end && frequency < ${MAX_TERM_FREQUENCY} && hashAt(bytes, i) == hash; i += ${ENTRY_BYTES})
    frequency++;
  if (frequency == 0) continue;
  froms[h] = from;
  frequencies[h] = frequency;
  long label = (occurrenceAt(bytes, from) >> ${LABEL_SHIFT}) & ${2 ** LABEL_BITS - 1};
  double weight = weights.get(h);
  share += weight;
  words += weight * frequency / (frequency + norm);
  if (label > 0) words += weight * params.label * 2 / (1 + label);
}
// A parameter that a request leaves out is null, and so is one that it gives as null.
double cosine = params.vector == null || doc['chunks.vector'].size() == 0
  ? ${NO_COSINE}.0 : cosineSimilarity(params.vector, doc['chunks.vector']);
double near = cosine == ${NO_COSINE}.0 ? -1 : cosine;
double[] scores = new double[] {words, near, (share + words) / params.total + near};
long key = doc['chunks.page'].value;
List best = state.pages.get(key);
if (best == null) {
  best = [[], [], []];
  state.pages.put(key, best);
}
List chunk = null;
for (int s = 0; s < scores.length; s++) {
  List list = best.get(s);
  int rank = rankIn(list, scores[s]);
  if (rank >= most) continue;
  if (chunk == null) {
    chunk = [doc['chunks.ord'].value, length, doc['chunks.linkShare'].value, cosine];
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

/** What all shards have found. */
export const ALL = 'List all = []; for (found in states) if (found != null) all.addAll(found); return all;';

/** Whether a chunk has the words at successive positions, each by one of its terms. */
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
