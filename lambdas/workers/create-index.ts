import { customResource } from '../runtime/custom-resource.ts';

/**
 * Runs when the stack is deployed: creates the index of the embedding space if it is missing, and starts a migration
 * from the index that was searched before. It never removes an index, so no update or deletion of the stack loses data.
 * The import waits, so that CloudFormation also learns of an invalid setting, which makes it fail.
 */
export const handler = customResource('index', async (properties) => {
  const { createSearchIndex } = await import('../runtime/create-search-index.ts');
  await createSearchIndex(properties);
});
