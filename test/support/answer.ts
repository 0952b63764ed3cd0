/** The body of an answer, or a part of it; the assertions of a test say what it must be. */
export interface Json {
  readonly [field: string]: Json;
}

export type Answer = { readonly status: number; readonly body: Json; readonly headers: Headers };

export const listOf = (json: Json | undefined): readonly Json[] => {
  if (!Array.isArray(json)) throw new TypeError(`not a list: ${JSON.stringify(json)}`);
  return json;
};
