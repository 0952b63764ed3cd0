/** One instruction of a Containerfile, such as `COPY bin bin`. */
export type Instruction = { readonly name: string; readonly value: string };

/** The instructions of each stage, in order. A line that ends with a backslash goes on in the next. */
export function stagesOf(text: string): readonly (readonly Instruction[])[] {
  const lines = text.replaceAll(/\\\n/g, ' ').split('\n');
  const instructions = lines.flatMap((line) => {
    const [, name, value] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
    return name === undefined || value === undefined ? [] : [{ name, value }];
  });
  const stages: Instruction[][] = [];
  for (const instruction of instructions) {
    if (instruction.name === 'FROM') stages.push([]);
    stages.at(-1)?.push(instruction);
  }
  return stages;
}

/** The value of an instruction that is there once. */
export function valueIn(stage: readonly Instruction[], name: string): string {
  const [first, ...more] = stage.filter((instruction) => instruction.name === name);
  if (!first || more.length > 0) throw new Error(`The Containerfile needs exactly one ${name} in its last stage`);
  return first.value;
}
