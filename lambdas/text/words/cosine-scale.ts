/**
 * The kind of a text's vector: one of the two blocks of the built-in embedder, or of a model. Stored segments and
 * documents have their indexes.
 */
export const VECTOR_BLOCKS = ['table', 'hash', 'model'] as const;
export type VectorBlock = (typeof VECTOR_BLOCKS)[number];

/** How cosines of one kind of vector are read: `low` means unrelated, `high` nearly the same; `weight` in the score. */
export type CosineScale = { readonly low: number; readonly high: number; readonly weight: number };
export type CosineScales = Readonly<Record<VectorBlock, CosineScale>>;

const MODEL_WEIGHT = 0.7;

/** The scale of `model` is only for an embedding space that has not been measured. */
export const COSINE_SCALES: CosineScales = {
  table: { low: 0.2, high: 0.9, weight: 0.5 },
  hash: { low: 0.05, high: 0.6, weight: 0.3 },
  model: { low: 0.2, high: 0.8, weight: MODEL_WEIGHT },
};

/** Sums of cosines measured in one space, with their numbers. */
export type CosineSums = {
  /** Cosines between chunks of different pages. */
  readonly unrelated: number;
  readonly pairs: number;
  /** Cosines between chunks and the titles of their pages. */
  readonly related: number;
  readonly titles: number;
};

const FEWEST = 30;
const MIN_DISTANCE = 0.01;
/** The ends of the scale, if unrelated texts have 0 and a title and its page have 1, both on average. */
const [LOW, HIGH] = [-0.1, 1.05] as const;

/**
 * Returns the scale of a model's space, so that a score means the same with every model; undefined if too little is
 * known.
 */
export function measuredScale({ unrelated, pairs, related, titles }: CosineSums): CosineScale | undefined {
  if (Math.min(pairs, titles) < FEWEST) return undefined;
  const least = unrelated / pairs;
  const distance = related / titles - least;
  if (!(distance >= MIN_DISTANCE)) return undefined;
  return { low: least + LOW * distance, high: least + HIGH * distance, weight: MODEL_WEIGHT };
}
