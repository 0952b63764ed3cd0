/** USD per million tokens, from list prices as last checked. The provider may have changed them. */
export type Price = { readonly inputPerMillion: number; readonly outputPerMillion: number };

const price = (inputPerMillion: number, outputPerMillion = 0): Price => ({ inputPerMillion, outputPerMillion });

const PRICES: Readonly<Record<string, Price>> = {
  'text-embedding-3-small': price(0.02),
  'text-embedding-3-large': price(0.13),
  'text-embedding-ada-002': price(0.1),
  'gpt-4o': price(2.5, 10),
  'gpt-4o-mini': price(0.15, 0.6),
  'gpt-4.1': price(2, 8),
  'gpt-4.1-mini': price(0.4, 1.6),
  'gpt-4.1-nano': price(0.1, 0.4),
  'gpt-5': price(1.25, 10),
  'gpt-5-mini': price(0.25, 2),
  'gpt-5-nano': price(0.05, 0.4),
  'o4-mini': price(1.1, 4.4),
};

/** Returns the price of a model, also by the name of a dated version; undefined if it is unknown. */
export const priceOf = (model: string): Price | undefined => {
  const undated = model.replace(/-\d{4}-\d{2}-\d{2}$/, '');
  return Object.hasOwn(PRICES, undated) ? PRICES[undated] : undefined;
};
