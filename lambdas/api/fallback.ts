import { table } from '#adapters/table';
import { AppError, NotFoundError } from '../core/errors.ts';
import type { ApiEvent, ApiResponse } from '../runtime/api-event.ts';
import { header } from '../runtime/api-event.ts';
import { endpoint } from '../runtime/endpoint.ts';
import { preflight } from '../runtime/preflight.ts';
import { failure } from '../runtime/responses.ts';
import { type RouteMatch, routesAt } from '../runtime/route-match.ts';

/** Takes all other requests: unknown paths and methods, preflights, and routes that are not implemented yet. */
export async function handler(event: ApiEvent, context: unknown): Promise<ApiResponse> {
  const here = routesAt(event.path);
  if (here.length === 0) return failure(new NotFoundError('Path'), event);
  if (event.httpMethod === 'OPTIONS') return preflight(here, header(event, 'origin'), table);
  const match = here.find(({ route }) => route.method.toUpperCase() === event.httpMethod);
  if (!match) return wrongMethod(here, event);
  const pending = endpoint(match.route, () => {
    throw new AppError('not_built', `The operation ${match.name} is not available yet`);
  });
  return pending({ ...event, pathParameters: match.params }, context as never);
}

function wrongMethod(here: readonly RouteMatch[], event: ApiEvent): ApiResponse {
  const methods = here.map(({ route }) => route.method.toUpperCase()).join(', ');
  const response = failure(new AppError('method_not_allowed', `This path supports only ${methods}`), event);
  return { ...response, headers: { ...response.headers, Allow: methods } };
}
