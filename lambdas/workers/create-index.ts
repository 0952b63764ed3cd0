import { customResource } from '../runtime/custom-resource.ts';

/**
 * Runs when the stack is deployed. Creates the index of the embedding space if it is missing, and starts a migration
 * from the index that was searched before. Removes no index, so no update or deletion of the stack loses data.
 * The import is inside the function, so that an invalid setting, which makes the import fail, is reported to
 * CloudFormation.
 */
export const handler = customResource('index', {
  run: async (properties) => {
    const { createSearchIndex } = await import('../runtime/create-search-index.ts');
    await createSearchIndex(properties);
  },
  remove: async () => undefined,
});
