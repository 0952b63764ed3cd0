/** A text with its matches marked: pairs of positions in UTF-16 code units, as the API gives them. */
export function Marked({ text, ranges }: { readonly text: string; readonly ranges: readonly (readonly number[])[] }) {
  let at = 0;
  const parts = ranges.flatMap(([start = 0, end = 0]) => {
    const before = text.slice(at, start);
    at = end;
    return [before, <mark key={start}>{text.slice(start, end)}</mark>];
  });
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}
