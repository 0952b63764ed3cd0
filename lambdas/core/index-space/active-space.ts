import type { Table } from '../../adapters/ports.ts';

/** What the vectors of an index belong to; `model` where they are not the built-in ones. */
export type Space = { readonly space: string; readonly dimensions: number; readonly model?: string };

const ACTIVE = { pk: 'SPACE', sk: 'ACTIVE' };

/** The space that is searched; undefined before the first one was made. */
export const activeSpace = (table: Table): Promise<Space | undefined> => table.get<Space>(ACTIVE);

/** Makes a space the one that is searched, unless there is one; answers which it is. */
export async function claimSpace({ space, dimensions, model }: Space, table: Table): Promise<Space> {
  const set = { space, dimensions, ...(model !== undefined && { model }) };
  const claimed = await table.update<Space>(ACTIVE, { set, when: { exists: false } });
  return claimed ?? (await activeSpace(table)) ?? { ...set };
}

/** From now on another space is searched. Answers false, and changes nothing, if it was not the first that was searched. */
export async function moveSpace(from: Space, { space, dimensions, model }: Space, table: Table): Promise<boolean> {
  const moved = await table.update(ACTIVE, {
    set: { space, dimensions, ...(model !== undefined && { model }) },
    ...(model === undefined && { unset: ['model'] }),
    when: { equals: { space: [from.space, space] } },
  });
  return moved !== undefined;
}
